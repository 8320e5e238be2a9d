// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that stands still until a test moves it: for {@code Tenrec.builder().time(time, time)}.
 * Deadlines, sleep windows, rolling windows and rates go by it; work itself runs as fast as it
 * runs. Thread-safe.
 */
public final class VirtualTime implements Ticker, Waiter {

  /** A look at the real clock, for a Tenrec that closes. */
  private static final long LONGEST_PARK_NANOS = 1_000_000;

  // it begins below zero, because real time may
  private final AtomicLong nowNanos = new AtomicLong(-1_000_000_007L);
  private final Map<Thread, Long> waiting = new ConcurrentHashMap<>();

  // Written by the thread that releases, read by all, ordered by the volatile write of released.
  private long releasedAtNanos;
  private volatile boolean released;

  @Override
  public long nanoTime() {
    return released ? nowNanos.get() + real() - releasedAtNanos : nowNanos.get();
  }

  /**
   * Moves time on, and wakes the threads whose deadline has come. Returns at once: what they do
   * then, they do meanwhile.
   *
   * @param by 0 or more
   * @throws IllegalArgumentException if it is negative: time does not go back
   */
  public void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("time does not go back: advance(" + by + ")");
    }
    nowNanos.addAndGet(by.toNanos());
    long now = nanoTime();
    waiting.forEach(
        (thread, deadline) -> {
          if (reached(now, deadline)) {
            LockSupport.unpark(thread);
          }
        });
  }

  @Override
  public void awaitUntil(long deadlineNanos) {
    Thread current = Thread.currentThread();
    waiting.put(current, deadlineNanos);
    try {
      // registered before the look at the clock: an advance in between wakes the park below
      if (reached(nanoTime(), deadlineNanos)) {
        return;
      }
      if (released) {
        LockSupport.parkNanos(this, LONGEST_PARK_NANOS);
      } else {
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
   * How many threads wait for this time now, also those that wait until they are woken. A thread
   * whose time has come is none of them, even if it has not woken up yet.
   */
  public int waitingThreads() {
    long now = nanoTime();
    int threads = 0;
    for (long deadline : waiting.values()) {
      if (!reached(now, deadline)) {
        threads++;
      }
    }
    return threads;
  }

  /**
   * From now on it goes on by itself, as real time does: before the end of a Tenrec whose calls may
   * still be at work, which would wait for them for ever. The kit does so for those it closes.
   */
  public void release() {
    if (!released) {
      releasedAtNanos = real();
      released = true;
      waiting.keySet().forEach(LockSupport::unpark);
    }
  }

  private static long real() {
    return Ticker.system().nanoTime();
  }

  private static boolean reached(long now, long deadlineNanos) {
    return deadlineNanos != FOREVER && now - deadlineNanos >= 0;
  }
}
