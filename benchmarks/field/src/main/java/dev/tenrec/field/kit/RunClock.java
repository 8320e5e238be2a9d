// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;

/** Time since the run began. Thread-safe. */
public final class RunClock {

  private final Ticker ticker;
  private final Waiter waiter;

  /** Written by the main thread before there are others that read it for good, read by all. */
  private volatile long beginNanos;

  /** In real time. */
  public RunClock() {
    this(Ticker.system(), Waiter.system());
  }

  /** In another time, for tests. */
  public RunClock(Ticker ticker, Waiter waiter) {
    this.ticker = ticker;
    this.waiter = waiter;
    this.beginNanos = ticker.nanoTime();
  }

  /** The run begins now, not when this clock was made. */
  public void begin() {
    beginNanos = ticker.nanoTime();
  }

  /** The run was to begin so many nanoseconds ago: what begins late is late from the start. */
  public void began(long agoNanos) {
    beginNanos = ticker.nanoTime() - agoNanos;
  }

  /** Nanoseconds since the run began. */
  public long nanos() {
    return ticker.nanoTime() - beginNanos;
  }

  /**
   * Waits until so long after the beginning.
   *
   * @throws InterruptedException if the thread is interrupted; its flag is cleared
   */
  public void awaitNanos(long nanos) throws InterruptedException {
    while (nanos() < nanos) {
      waiter.awaitUntil(beginNanos + nanos);
      if (Thread.interrupted()) {
        throw new InterruptedException(
            "while waiting for " + nanos / 1_000_000 + " ms after the beginning");
      }
    }
  }
}
