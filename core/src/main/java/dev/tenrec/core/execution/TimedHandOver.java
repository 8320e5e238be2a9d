// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.timeout.CallbackExecutor;
import dev.tenrec.core.timeout.Timeout;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task that the callback executor has to begin by a deadline. The executor may be busy for long,
 * even with work that waits for this very task; so whoever waits for it is told in time. Exactly
 * one of begun, refused and late happens.
 */
final class TimedHandOver extends Timeout {

  private final CallbackExecutor callbacks;
  private final Runnable late;

  /** Set once, by a callback thread that begins it, by who is refused, or by the timer. */
  private final AtomicBoolean claimed = new AtomicBoolean();

  private TimedHandOver(long deadlineNanos, CallbackExecutor callbacks, Runnable late) {
    super(deadlineNanos);
    this.callbacks = callbacks;
    this.late = late;
  }

  /**
   * Hands over.
   *
   * @param timeoutNanos how long it may wait for its beginning; {@link Execution#NEVER} for ever
   * @param handOver what runs on the callback executor, and instead if that is closed before
   * @param late runs instead at the deadline, on the thread of last resort
   * @return false if there is no room: none of the three will run
   */
  static boolean tryBegin(Engine engine, long timeoutNanos, HandOver handOver, Runnable late) {
    long deadline =
        timeoutNanos == Execution.NEVER
            ? Execution.NEVER
            : engine.ticker().nanoTime() + timeoutNanos;
    TimedHandOver turn = new TimedHandOver(deadline, engine.callbacks(), late);
    if (!engine.callbacks().tryExecute(handOver.with(turn::once))) {
      return false;
    }
    if (timeoutNanos != Execution.NEVER && !turn.isEnded()) {
      boolean unused = engine.timer().arm(turn); // a closed timer: the executor closes next
    }
    return true;
  }

  private Runnable once(Runnable what) {
    return () -> {
      if (claimed.compareAndSet(false, true)) {
        what.run();
      }
    };
  }

  @Override
  protected boolean isEnded() {
    return claimed.get();
  }

  @Override
  protected void expired() {
    if (!claimed.get()) {
      callbacks.countLate();
    }
    callbacks.overflow(once(late));
  }
}
