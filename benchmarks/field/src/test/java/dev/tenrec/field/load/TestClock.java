// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Time that a test moves. A thread that waits for it goes on at once. Thread-safe. */
final class TestClock implements Ticker, Waiter {

  private final AtomicLong nowNanos = new AtomicLong(-1_000_000_007L);

  RunClock clock() {
    return new RunClock(this, this);
  }

  void advance(Duration by) {
    nowNanos.addAndGet(by.toNanos());
  }

  @Override
  public long nanoTime() {
    return nowNanos.get();
  }

  @Override
  public void awaitUntil(long deadlineNanos) {
    nowNanos.accumulateAndGet(deadlineNanos, Math::max);
  }

  @Override
  public void wake(Thread thread) {
    // nobody sleeps
  }
}
