// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import dev.tenrec.core.internal.timeout.Timer.FailureListener;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;

/**
 * A user's time, which must not throw, and throws nothing here: an ending may not be lost because a
 * clock failed. A failed reading repeats the last one; a failed wait returns at once, as any wait
 * may; a failed wake-up is done by the system's waiter, in case the thread is parked there.
 *
 * <p>The system's own time needs no guard and gets none, so calls pay nothing for this.
 */
public final class GuardedTime implements Ticker, Waiter {

  private final Ticker ticker;
  private final Waiter waiter;

  /** Written and read by all threads, in no order: any recent reading will do. */
  private long lastNanos;

  /** Written once, before any call, read by any thread, ordered by volatile access. */
  private volatile FailureListener failures = (what, thrown) -> {};

  /**
   * Guards both.
   *
   * @param ticker a user's, or the system's
   * @param waiter of the ticker's scale
   */
  public GuardedTime(Ticker ticker, Waiter waiter) {
    this.ticker = ticker;
    this.waiter = waiter;
  }

  /** Has failures reported there. */
  public void reportFailures(FailureListener listener) {
    failures = listener;
  }

  @Override
  public long nanoTime() {
    try {
      long now = ticker.nanoTime();
      lastNanos = now;
      return now;
    } catch (Throwable e) { // Errors too: nothing a user's code throws may lose an ending
      report("the ticker failed, its last reading is used", e);
      return lastNanos;
    }
  }

  @Override
  public void awaitUntil(long deadlineNanos) {
    try {
      waiter.awaitUntil(deadlineNanos);
    } catch (Throwable e) {
      report("the waiter failed to wait", e);
      Thread.yield();
    }
  }

  @Override
  public void wake(Thread thread) {
    try {
      waiter.wake(thread);
    } catch (Throwable e) {
      report("the waiter failed to wake " + thread.getName(), e);
      Waiter.system().wake(thread);
    }
  }

  private void report(String what, Throwable thrown) {
    try {
      failures.failed(what, thrown);
    } catch (Throwable again) { // no memory to say so
      return;
    }
  }
}
