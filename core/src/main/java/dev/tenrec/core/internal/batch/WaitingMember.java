// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.batch;

import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.collapser.Member;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.time.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * A member with a caller that waits on its own thread. It has no deadline of its own: its batch
 * starts when its window ends, and has one. Interrupted, it leaves and keeps its flag.
 */
final class WaitingMember<R extends @Nullable Object> extends Member<R> {

  private final CollapserRuntime runtime;
  private final Thread caller = Thread.currentThread();
  private final long startNanos;
  private final boolean tellsAll;

  // Written by the thread that answers, before done; read by the caller after it.
  private @Nullable R value;
  @Nullable Throwable error;
  private @Nullable Outcome<?> batch;

  /** Written by the thread that answers, or by the caller that leaves; read by the caller. */
  private volatile boolean done;

  /** With {@code tellsAll}, the outcome of its batch is made, too. */
  WaitingMember(CollapserRuntime runtime, boolean tellsAll) {
    this.tellsAll = tellsAll;
    this.runtime = runtime;
    this.startNanos = runtime.now();
  }

  void await() {
    Waiter waiter = runtime.command.engine.waiter();
    while (!done) {
      if (isSettled()) {
        Thread.yield(); // by another thread, which is about to answer
      } else if (Thread.currentThread().isInterrupted()) {
        if (leave()) {
          error = Errors.interrupted(runtime.key(), runtime.command.stackTraces);
          return;
        }
      } else {
        waiter.awaitUntil(Waiter.FOREVER);
      }
    }
  }

  @Override
  protected void published(@Nullable R answer, @Nullable Throwable thrown) {
    value = answer;
    error = thrown;
    try {
      batch = tellsAll ? batchOutcome() : null;
    } catch (Throwable noMemory) { // the answer is what its caller waits for
      batch = null;
    }
    done = true;
    if (Thread.currentThread() != caller) {
      runtime.command.engine.waiter().wake(caller);
    }
  }

  @Override
  protected boolean runsUserCode() {
    return false; // its caller is awake by now
  }

  @Override
  public void onValue(R answer) {}

  @Override
  public void onError(Throwable thrown) {}

  /** Null where R has it, or there is no answer. */
  @SuppressWarnings("NullAway") // whether null is one of its values is for R to say
  R value() {
    return value;
  }

  Outcome<R> outcome(String key) {
    return Outcome.ofMember(key, value, error, batch, runtime.now() - startNanos);
  }
}
