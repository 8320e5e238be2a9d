// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * How late threads of this process are that do nothing but sleep, and wake another one and are
 * woken by that, as a call does: what a call is late beyond that is its own doing. They sleep for
 * as long as the calls' time-out, over and over, and note how late they were, by tenths of a
 * second.
 */
public final class SchedulingNoise implements AutoCloseable {

  private static final int PAIRS = 4;
  private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int SLOTS = 36_000; // of an hour

  private final long startNanos = System.nanoTime();
  private final long sleepNanos;

  /** The most that one was late, by when it woke. Raised by control threads, read by callers. */
  private final AtomicLongArray worst = new AtomicLongArray(SLOTS);

  /** How often each pair has slept and answered. Written by one of it, read by all. */
  private final AtomicIntegerArray rounds = new AtomicIntegerArray(PAIRS);

  private volatile boolean over;

  public SchedulingNoise(long sleepNanos) {
    this.sleepNanos = sleepNanos;
    for (int i = 0; i < PAIRS; i++) {
      int pair = i;
      Semaphore there = new Semaphore(0);
      Semaphore back = new Semaphore(0);
      Thread unused = Elsewhere.start(() -> sleepOver(pair, there, back));
      Thread unusedPartner = Elsewhere.start(() -> answer(there, back));
    }
  }

  private void answer(Semaphore there, Semaphore back) {
    while (!over) {
      there.acquireUninterruptibly();
      back.release();
    }
  }

  private void sleepOver(int pair, Semaphore there, Semaphore back) {
    while (!over) {
      long due = System.nanoTime() + sleepNanos;
      long left;
      while ((left = due - System.nanoTime()) > 0) {
        LockSupport.parkNanos(left);
      }
      there.release();
      back.acquireUninterruptibly();
      long now = System.nanoTime();
      rounds.incrementAndGet(pair);
      // it was late all the time since it was due
      for (int slot = slot(due); slot <= slot(now); slot++) {
        worst.accumulateAndGet(slot, now - due, Math::max);
      }
    }
  }

  /** How far the slowest pair has got: what time is where the machine is busy. */
  public int rounds() {
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < PAIRS; i++) {
      least = Math.min(least, rounds.get(i));
    }
    return least;
  }

  private int slot(long nanos) {
    return (int) Math.min(SLOTS - 1, Math.max(0, (nanos - startNanos) / SLOT_NANOS));
  }

  /** Whether all is loaded and compiled that calls need, and they may be judged. */
  public boolean isWarm(long nanos) {
    return nanos - startNanos > WARM_UP_NANOS;
  }

  /**
   * The most that a control thread was late while a call was in flight, or just before or after.
   */
  public long worstNanos(long from, long to) {
    long most = 0;
    for (int slot = Math.max(0, slot(from) - 1);
        slot <= Math.min(SLOTS - 1, slot(to) + 1);
        slot++) {
      most = Math.max(most, worst.get(slot));
    }
    return most;
  }

  @Override
  public void close() {
    over = true;
  }
}
