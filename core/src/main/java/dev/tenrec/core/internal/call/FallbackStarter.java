// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.context.CallContext;
import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.gate.FallbackRefusal;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.core.work.FallbackValue;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Lets the fallback answer, on the thread that calls: the caller's if it waits, else the thread
 * that ended the work, or a thread of the command's share. If there is no fallback, or it fails,
 * the caller gets the first cause.
 */
public class FallbackStarter<A extends @Nullable Object, R extends @Nullable Object> {

  public final CommandRuntime runtime;
  public final Completion<A, R> completion;
  private final @Nullable Fallback<A, R> fallback;

  public FallbackStarter(
      CommandRuntime runtime, @Nullable Fallback<A, R> fallback, Completion<A, R> completion) {
    this.runtime = runtime;
    this.fallback = fallback;
    this.completion = completion;
  }

  /**
   * The ending waits for its fallback, and this thread runs it. Throws nothing: no other thread
   * would end the execution.
   */
  public final void start(Execution<A, R> execution) {
    Thread here = Thread.currentThread();
    boolean ours =
        execution.permitHolder == here
            && !execution.pipeline.isStaged()
            && (here != execution.caller || execution.hasBegun()); // else it failed on its way in
    start(execution, ours);
  }

  /** As {@link #start(Execution)}, on a thread of the command's share. */
  public final void startInShare(Execution<A, R> execution) {
    start(execution, true);
  }

  private void start(Execution<A, R> execution, boolean ours) {
    FallbackRefusal refusal = runtime.fallbackGate.enter(execution.plan, fallback());
    if (refusal == null) {
      run(execution, ours);
      return;
    }
    end(execution, unanswered(execution, refusal.event(), errorOf(refusal)));
  }

  /** What the gate is asked for; null if there is none. */
  public @Nullable Object fallback() {
    return fallback;
  }

  /** Whether {@link #answerAtOnce} will do: no thread is needed. */
  public final boolean answersAtOnce(Plan plan) {
    Object present = fallback();
    return present == null || !plan.fallbackEnabled || present instanceof FallbackValue;
  }

  /** On any thread, where {@link #answersAtOnce}: runs no user code. */
  final void answerAtOnce(Execution<A, R> execution, @Nullable CallbackTask delivery) {
    FallbackRefusal refusal = runtime.fallbackGate.enter(execution.plan, fallback());
    if (refusal != null) {
      if (unanswered(execution, refusal.event(), null)) {
        completion.answerApart(execution, delivery);
      }
    } else if (fallback() instanceof FallbackValue<?, ?> constant) {
      @SuppressWarnings("unchecked") // of this command
      R value = ((FallbackValue<A, R>) constant).value();
      if (completion.claimedFallback(execution, EventType.FALLBACK_SUCCESS, value, null, null)) {
        completion.answerApart(execution, delivery);
      }
    }
  }

  /**
   * Past the gate: lets it answer. Throws nothing.
   *
   * @param ours whether this is a thread of ours, which may be interrupted for this call
   */
  public void run(Execution<A, R> execution, boolean ours) {
    R value = null;
    Throwable failure = null;
    boolean elsewhere = !ours && !isAtThisCall(execution) && listed(execution);
    boolean begun = false;
    Scope scope = CallContext.NOTHING_TO_CLOSE;
    long foreign = leaveForeignDeadline(execution);
    try {
      begun = ours && execution.beginFallback();
      scope = execution.contextHere().open();
      A argument = execution.argument();
      if (execution.isAtFallback()) { // else a canceller has dropped the argument by now, or will
        Throwable cause = Errors.present(execution.cause);
        runtime.engine.listeners().fallbackStarts(execution, cause);
        value = Errors.present(fallback).apply(argument, cause);
      }
    } catch (Throwable thrown) { // Errors too: the caller is owed its first cause
      failure = thrown;
    }
    failure = CallContext.close(scope, failure);
    backToForeignDeadline(execution, foreign);
    if (elsewhere) {
      runtime.engine.stages().removeFallback(execution);
    }
    try {
      if (begun && execution.endFallback()) {
        runtime.abandonedStopped(execution);
      }
      keepInterrupt(execution, failure, ours);
    } catch (Throwable thrown) { // no memory for a first time: the call ends all the same
      runtime.failedToSettle(thrown);
    }
    ended(execution, value, failure);
  }

  /**
   * A thread at which closing does not look is about to run it, such as a stage's. True if closing
   * finds the call nevertheless. Throws nothing.
   */
  private boolean listed(Execution<A, R> execution) {
    try {
      if (!runtime.engine.stages().addFallback(execution)) {
        execution.closed();
      }
      return true;
    } catch (Throwable thrown) { // no memory: it answers, or closing waits for it in vain
      runtime.failedToSettle(thrown);
      return false;
    }
  }

  /**
   * Whether this is the caller's thread, and has not come back from the call yet: so it is as long
   * as the call was not let in.
   */
  private static boolean isAtThisCall(Execution<?, ?> execution) {
    return Thread.currentThread() == execution.caller
        && (execution.callerStays || !execution.admitted);
  }

  /**
   * The fallback failed on this thread: an interrupt that it has found there is of the user's,
   * unless the thread is ours.
   */
  protected static void keepInterrupt(
      Execution<?, ?> execution, @Nullable Throwable failure, boolean ours) {
    Errors.keepInterrupt(failure, !ours || Thread.currentThread() == execution.caller);
  }

  /**
   * Takes from this thread the deadline of what it is at otherwise: the fallback has what its
   * caller had, and no more. Throws nothing.
   *
   * @return that deadline; {@link Deadlines#NONE} if there was none, and nothing was taken
   */
  protected static long leaveForeignDeadline(Execution<?, ?> execution) {
    Deadlines deadlines = execution.pipeline.deadlines();
    long foreign = isAtThisCall(execution) ? Deadlines.NONE : deadlines.current();
    if (foreign != Deadlines.NONE) {
      deadlines.here()[0] = Deadlines.NONE;
    }
    return foreign;
  }

  /** Gives this thread back what {@link #leaveForeignDeadline} has taken. Throws nothing. */
  protected static void backToForeignDeadline(Execution<?, ?> execution, long foreign) {
    if (foreign != Deadlines.NONE) {
      execution.pipeline.deadlines().here()[0] = foreign;
    }
  }

  /**
   * It has ended, or could not be started: its permit goes back, and the execution ends, unless it
   * has.
   */
  protected final void ended(
      Execution<A, R> execution, @Nullable R value, @Nullable Throwable failure) {
    try {
      runtime.fallbackGate.leave(fallback());
    } catch (Throwable thrown) { // no memory for a first time: the call ends all the same
      runtime.failedToSettle(thrown);
    }
    end(
        execution,
        failure != null
            ? unanswered(execution, eventOf(failure), failure)
            : completion.claimedFallback(execution, EventType.FALLBACK_SUCCESS, value, null, null));
  }

  /**
   * The execution has its ending, and its permit goes back. In that order: closing waits for the
   * permit, and then ends what has no ending.
   *
   * @param ours whether this thread owns the ending
   */
  private void end(Execution<A, R> execution, boolean ours) {
    try {
      completion.leaveIfHolder(execution);
    } catch (Throwable thrown) { // no memory for a first time: the call ends all the same
      runtime.failedToSettle(thrown);
    }
    if (ours) {
      completion.answer(execution);
    }
  }

  private static EventType eventOf(Throwable failure) {
    try {
      return FallbackRefusal.eventOf(failure);
    } catch (Throwable noMemory) { // to look at its class
      return EventType.FALLBACK_FAILURE;
    }
  }

  /** On any thread: no thread of the share came free for it. */
  final void refuse(Execution<A, R> execution, @Nullable CallbackTask delivery) {
    FallbackRefusal refusal = runtime.fallbackGate.refuse(execution.plan, fallback());
    if (unanswered(execution, refusal.event(), errorOf(refusal))) {
      completion.answerApart(execution, delivery);
    }
  }

  private @Nullable Throwable errorOf(FallbackRefusal refusal) {
    try {
      return runtime.errorOf(refusal);
    } catch (Throwable noMemory) {
      return noMemory;
    }
  }

  /** Claims the ending for the first cause. False if another thread was faster. */
  public final boolean unanswered(
      Execution<A, R> execution, EventType event, @Nullable Throwable fallbackError) {
    Throwable cause = Errors.present(execution.cause);
    Throwable toCaller;
    try {
      toCaller =
          Errors.withFallbackError(
              cause, execution.hasOwnCause(), fallbackError, runtime.stackTraces);
    } catch (Throwable thrown) { // no memory to say both
      toCaller = cause;
    }
    if (!completion.claimedFallback(execution, event, null, fallbackError, toCaller)) {
      return false;
    }
    try {
      runtime.recorder.count(event, runtime.engine.ticker().nanoTime());
    } catch (Throwable thrown) { // no memory for a first count
      runtime.failedToSettle(thrown);
    }
    return true;
  }
}
