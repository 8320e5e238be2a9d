// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.time.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * A member with a caller that waits on its own thread. It has no time-out of its own: its batch
 * starts when its window ends, and has one. Interrupted, it leaves and keeps its flag.
 */
final class WaitingMember<R extends @Nullable Object> extends Member<R> {

  /** How long its caller sleeps at most while another thread is about to answer. */
  private static final long STEP_NANOS = 1_000_000;

  private final CollapserRuntime runtime;
  private final Thread caller = Thread.currentThread();
  private final long startNanos;
  private final boolean withBatchOutcome;

  // Written by the thread that answers, before done; read by the caller after it.
  private @Nullable R value;
  @Nullable Throwable error;
  private @Nullable Outcome<?> batch;

  /**
   * Written by the thread that answers, or by the caller that leaves; read by the caller; ordered
   * by volatile access.
   */
  private volatile boolean done;

  /** With {@code withBatchOutcome}, the outcome of its batch is made, too. */
  WaitingMember(CollapserRuntime runtime, boolean withBatchOutcome) {
    this.withBatchOutcome = withBatchOutcome;
    this.runtime = runtime;
    this.startNanos = runtime.now();
  }

  void await() {
    Waiter waiter = runtime.command.engine.waiter();
    boolean interrupted = false;
    while (!done) {
      if (isSettled()) { // by another thread, which is about to answer, and wakes this one then
        interrupted |= Thread.interrupted(); // with it, no wait would be one
        waiter.awaitUntil(runtime.now() + STEP_NANOS);
      } else if (Thread.currentThread().isInterrupted()) {
        if (leave()) {
          error = Errors.interrupted(runtime.key(), runtime.command.stackTraces);
          return;
        }
      } else {
        waiter.awaitUntil(Waiter.FOREVER);
      }
    }
    if (interrupted) {
      caller.interrupt();
    }
  }

  @Override
  protected void published(@Nullable R answer, @Nullable Throwable thrown) {
    value = answer;
    error = thrown;
    try {
      batch = withBatchOutcome ? batchOutcome() : null;
    } catch (Throwable noMemory) { // the answer is what its caller waits for
      batch = null;
    }
    wakeCaller();
  }

  private void wakeCaller() {
    done = true;
    if (Thread.currentThread() != caller) {
      runtime.command.engine.waiter().wake(caller);
    }
  }

  /** Its caller is awake by now; else, for want of stack, it is woken by delivering. */
  @Override
  protected boolean runsUserCode() {
    return !done;
  }

  @Override
  public void onValue(R answer) {
    if (!done) {
      value = answer;
      wakeCaller();
    }
  }

  @Override
  public void onError(Throwable thrown) {
    if (!done) {
      error = thrown;
      wakeCaller();
    }
  }

  /** Null where R has it, or there is no answer. */
  @SuppressWarnings("NullAway") // whether null is one of its values is for R to say
  R value() {
    return value;
  }

  Outcome<R> outcome(String key) {
    return Outcome.ofMember(key, value, error, batch, runtime.now() - startNanos);
  }
}
