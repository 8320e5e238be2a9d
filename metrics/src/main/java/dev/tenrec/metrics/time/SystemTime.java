// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.time;

import java.util.concurrent.locks.LockSupport;

/** Time as the JVM measures it. */
final class SystemTime implements Ticker, Waiter {

  static final SystemTime INSTANCE = new SystemTime();

  private SystemTime() {}

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void awaitUntil(long deadlineNanos) {
    if (deadlineNanos == FOREVER) {
      LockSupport.park(this);
      return;
    }
    long nanos = deadlineNanos - System.nanoTime();
    if (nanos > 0) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  @Override
  public void wake(Thread thread) {
    LockSupport.unpark(thread);
  }
}
