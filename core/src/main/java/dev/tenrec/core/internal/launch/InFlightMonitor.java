// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.launch;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread that closes a Tenrec and waits for the calls in flight. Each call that leaves wakes
 * it. While no thread closes, that is one read of a field that is never written.
 */
public final class InFlightMonitor {

  private final Ticker ticker;
  private final Waiter waiter;

  /**
   * Written by the closing thread before it looks whether all calls have left, read by the thread
   * of a call after the call has left: one of the two sees the other.
   */
  private volatile @Nullable Thread closer;

  /**
   * No thread closes yet.
   *
   * @param ticker the scale of deadlines
   * @param waiter waits on that scale
   */
  public InFlightMonitor(Ticker ticker, Waiter waiter) {
    this.ticker = ticker;
    this.waiter = waiter;
  }

  /**
   * A call has given back what it held, its ending is decided after that, or its thread has ended.
   */
  public void left() {
    Thread waiting = closer;
    if (waiting != null) {
      waiter.wake(waiting);
    }
  }

  /**
   * Waits until all have left, {@code deadlineNanos} has come, or the caller is interrupted (the
   * flag stays).
   *
   * @param allLeft asked whenever a call has left
   */
  public void await(BooleanSupplier allLeft, long deadlineNanos) {
    closer = Thread.currentThread();
    try {
      while (!allLeft.getAsBoolean()
          && ticker.nanoTime() - deadlineNanos < 0
          && !Thread.currentThread().isInterrupted()) {
        waiter.awaitUntil(deadlineNanos);
      }
    } finally { // it is the user's thread, and what is closed may be kept
      closer = null;
    }
  }
}
