// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.metrics.time.Waiter;

/**
 * The caller that waits for another thread is its own timer, and runs its own fallback. Interrupted
 * while it waits, it gives its work up and keeps its flag.
 */
public final class CallerWait {

  /**
   * How often the caller lets others run before it sleeps, while the owner of the ending is between
   * the claim and the publication: a few instructions, unless it is preempted there.
   */
  private static final int YIELDS = 100;

  private static final long NAP_NANOS = 1_000_000;

  /** After this long the owner counts as lost, and the caller goes on with the ending itself. */
  private static final long LOST_NANOS = 20_000_000;

  /**
   * Before so many times the owner of a failure is left alone where another attempt may follow: on
   * a busy machine it may be held up for longer than {@link #LOST_NANOS}, and a thread that takes
   * over cannot begin that attempt.
   */
  private static final int PATIENT = 10;

  /** After so many times the owner counts as dead, even if it has counted the answer. */
  private static final int DEAD = 25;

  private CallerWait() {}

  /** On the caller's thread. */
  public static <A, R> void untilAnswered(Execution<A, R> execution, Engine engine) {
    Pipeline<A, R> pipeline = execution.pipeline;
    long deadline = execution.deadlineNanos();
    if (execution.plan.bulkhead.isAlone()) { // or other calls want the processor that looking takes
      long start = execution.startNanos;
      boolean unused = pipeline.runtime.spinThenPark(start).look(execution, start);
    }
    int lost = 0;
    while (!execution.isAnswered()) {
      if (execution.isAtFallback()) {
        pipeline.fallbackStarter.start(execution);
      } else if (execution.isRetrying()) {
        lost = 0; // the owner of that ending came
        Errors.present(pipeline.further).awaitHere(execution);
      } else if (execution.isClaimed()) {
        awaitOwner(execution, engine);
        if (!isOver(execution)) {
          takeOver(execution, ++lost);
        }
      } else if (Thread.currentThread().isInterrupted()) {
        pipeline.abandonment.interrupted(execution);
      } else if (!goesOnHere(execution)) { // else that may have taken long
        awaitDeadline(execution, deadline, engine);
      }
    }
    boolean more;
    do { // what was left to this thread before the end
      more = goesOnHere(execution);
    } while (more);
  }

  private static <A, R> void awaitDeadline(
      Execution<A, R> execution, long deadline, Engine engine) {
    if (!execution.hasDeadline()) {
      engine.waiter().awaitUntil(Waiter.FOREVER);
    } else if (execution.pipeline.now() - deadline >= 0) {
      execution.pipeline.abandonment.timedOut(execution);
    } else {
      engine.waiter().awaitUntil(deadline);
    }
  }

  private static boolean goesOnHere(Execution<?, ?> execution) {
    FurtherAttempts further = execution.pipeline.further;
    return further != null && further.goesOnHere(execution);
  }

  /**
   * Another thread owns the ending, and is about to publish it or to leave the fallback to this
   * thread.
   */
  private static <A, R> void awaitOwner(Execution<A, R> execution, Engine engine) {
    for (int i = 0; i < YIELDS; i++) {
      Thread.yield();
      if (isOver(execution)) {
        return;
      }
    }
    long now = engine.ticker().nanoTime();
    long lost = now + LOST_NANOS;
    boolean interrupted = false;
    while (!isOver(execution) && now - lost < 0) {
      interrupted |= Thread.interrupted(); // else no nap would last; it is too late to give up
      engine.waiter().awaitUntil(now + NAP_NANOS); // the owner wakes this thread
      now = engine.ticker().nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The owner does not come: its ending goes on from where it stands. */
  private static <A, R> void takeOver(Execution<A, R> execution, int times) {
    if (times < PATIENT && mayBeAttemptedAgain(execution)) {
      return;
    }
    if (execution.awaitsFallback() && execution.openFallback()) {
      return; // which this thread runs next, as it would have
    }
    if (times < DEAD) {
      execution.pipeline.completion.publishForOwner(execution);
    } else {
      execution.pipeline.completion.publishForDead(execution);
    }
  }

  private static boolean mayBeAttemptedAgain(Execution<?, ?> execution) {
    Execution<?, ?> call = execution.whole(); // an attempt may be late, and its call not
    return execution.pipeline.further != null
        && execution.isDecidedFirst() // read first: its cause was written before
        && execution.cause != null
        && !call.isLate(call.pipeline.now());
  }

  private static boolean isOver(Execution<?, ?> execution) {
    return execution.isAnswered() || execution.isAtFallback() || execution.isRetrying();
  }
}
