// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.kit.Uninterruptibly;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * What user code does at its worst: mostly nothing; else it throws, blocks for some milliseconds,
 * or is stuck until the test lets it go. Notes for how long it has kept the current thread.
 */
final class Mischief {

  /** Each holds a thread for as long as the test likes, so there are few. */
  private static final int MOST_STUCK = 3;

  private static final ThreadLocal<long[]> OCCUPIED = ThreadLocal.withInitial(() -> new long[1]);

  private final long seed;
  private final boolean hostile;
  private final AtomicLong times = new AtomicLong();
  private final AtomicInteger stuck = new AtomicInteger();

  /** What those that are stuck wait for; replaced when they are let go. */
  private volatile CountDownLatch released = new CountDownLatch(1);

  /** The threads that are stuck, and where. Each is written by itself, read by the test. */
  private final Map<Thread, String> held = new ConcurrentHashMap<>();

  /** Written by the test, read by those that would be stuck. */
  private volatile boolean over;

  /** Unless it is hostile, it only picks numbers. */
  Mischief(long seed, boolean hostile) {
    this.seed = seed;
    this.hostile = hostile;
  }

  boolean isHostile() {
    return hostile;
  }

  /** A number from 0 to {@code bound} less one. */
  int pick(int bound) {
    long z = seed + times.incrementAndGet() * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return (int) Long.remainderUnsigned(z ^ (z >>> 31), bound);
  }

  /** Throws or blocks, once in about ten times. */
  void maybe(String where) {
    maybe(where, true);
  }

  /** The same, but is never stuck. */
  void maybeBriefly(String where) {
    maybe(where, false);
  }

  private void maybe(String where, boolean mayStick) {
    int dice = hostile ? pick(400) : 400;
    if (dice < 10) {
      throw new IllegalStateException("mischief at " + where);
    } else if (dice < 14) {
      throw new AssertionError("mischief at " + where);
    } else if (dice < 17) {
      throw new StackOverflowError("mischief at " + where);
    } else if (dice < 20) {
      throw new OutOfMemoryError("mischief at " + where);
    } else if (dice < 40) {
      occupy(() -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1 + pick(15))));
    } else if (dice < 41 && mayStick && !over && stuck.incrementAndGet() <= MOST_STUCK) {
      CountDownLatch now = released;
      occupy(() -> hold(where, now));
    }
  }

  private void hold(String where, CountDownLatch now) {
    String outer = held.put(Thread.currentThread(), where);
    try {
      Uninterruptibly.await(now);
    } finally {
      if (outer == null) {
        held.remove(Thread.currentThread());
      }
    }
  }

  /** Whether that thread is stuck in user code. */
  boolean holds(Thread thread) {
    return held.containsKey(thread);
  }

  /** The threads that are stuck, and where. */
  Map<Thread, String> held() {
    return Map.copyOf(held);
  }

  /** Lets go of all that is stuck; some will be again. */
  void letGo() {
    CountDownLatch before = released;
    released = new CountDownLatch(1);
    stuck.set(0);
    before.countDown();
  }

  /** Lets go of all that is stuck; nothing will be any more. */
  void release() {
    over = true;
    letGo();
  }

  /** User code keeps the current thread. */
  static void occupy(Runnable what) {
    long start = System.nanoTime();
    try {
      what.run();
    } finally {
      OCCUPIED.get()[0] += System.nanoTime() - start;
    }
  }

  /** For how long user code has kept the current thread, in all. */
  static long occupiedNanos() {
    return OCCUPIED.get()[0];
  }
}
