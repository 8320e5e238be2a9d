// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Waiter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Manual time that knows whether the one thread which waits by it really sleeps: not still there
 * after its deadline has come or it has been woken. Only then has it done all that it had to do.
 */
final class WatchedTime implements Waiter {

  final ManualTime time = new ManualTime();

  /** Written by the waiting thread, read by the test. */
  private volatile long deadline;

  /** Written by the waiting thread, read by the test; after {@link #deadline}. */
  private volatile boolean waiting;

  /**
   * Written by the waking thread, before it wakes; cleared by the waiting thread when it has
   * returned.
   */
  private volatile boolean woken;

  /** Counted by waking threads. */
  private final AtomicInteger wakeUps = new AtomicInteger();

  @Override
  public void awaitUntil(long deadlineNanos) {
    deadline = deadlineNanos;
    waiting = true;
    time.awaitUntil(deadlineNanos);
    waiting = false;
    woken = false;
  }

  @Override
  public void wake(Thread thread) {
    woken = true;
    wakeUps.incrementAndGet();
    time.wake(thread);
  }

  boolean isAsleep() {
    // woken first: it is cleared after waiting, and so the sleep that it ended is not taken for one
    return !woken && waiting && (deadline == FOREVER || time.nanoTime() - deadline < 0);
  }

  /** How often a thread has been woken. */
  int wakeUps() {
    return wakeUps.get();
  }

  boolean isAsleepForGood() {
    return isAsleep() && deadline == FOREVER;
  }
}
