// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that stands still until a test moves it. Starts at a negative number, because real nanoTime
 * may.
 */
public final class ManualTime implements Ticker, Waiter {

  private final AtomicLong nowNanos = new AtomicLong(-1_000_000_007L);
  private final Map<Thread, Long> waiting = new ConcurrentHashMap<>();

  @Override
  public long nanoTime() {
    return nowNanos.get();
  }

  /** Moves time on and wakes the threads whose deadline has come. */
  public ManualTime advance(Duration by) {
    long now = nowNanos.addAndGet(by.toNanos());
    waiting.forEach(
        (thread, deadline) -> {
          if (reached(now, deadline)) {
            LockSupport.unpark(thread);
          }
        });
    return this;
  }

  /** Moves time on by so many milliseconds. */
  public ManualTime advanceMillis(long millis) {
    return advance(Duration.ofMillis(millis));
  }

  @Override
  public void awaitUntil(long deadlineNanos) {
    Thread current = Thread.currentThread();
    waiting.put(current, deadlineNanos);
    try {
      // registered before the look at the clock: an advance in between wakes the park below
      if (!reached(nowNanos.get(), deadlineNanos)) {
        LockSupport.park(this);
      }
    } finally {
      waiting.remove(current);
    }
  }

  @Override
  public void wake(Thread thread) {
    LockSupport.unpark(thread);
  }

  /**
   * Threads that wait for a time to come; a test waits for this before it moves time. A thread
   * whose time has come is none of them, even if it has not woken up yet.
   */
  public List<Thread> waiting() {
    long now = nowNanos.get();
    List<Thread> threads = new ArrayList<>();
    waiting.forEach(
        (thread, deadline) -> {
          if (!reached(now, deadline)) {
            threads.add(thread);
          }
        });
    return threads;
  }

  private static boolean reached(long now, long deadlineNanos) {
    return deadlineNanos != FOREVER && now - deadlineNanos >= 0;
  }
}
