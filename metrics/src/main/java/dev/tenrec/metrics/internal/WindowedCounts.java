// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.internal.rolling.Buckets;
import dev.tenrec.metrics.internal.rolling.CumulativeTotals;
import dev.tenrec.metrics.internal.rolling.History;
import dev.tenrec.metrics.internal.rolling.StripedCounters;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Counters with a rolling window: what they counted in it, and since the beginning. Thread-safe;
 * counting is lock-free. Every {@code nowNanos} is a reading of one ticker.
 *
 * <p>A thread that counts first closes the buckets that have ended, unless another thread holds the
 * lock: what it counts may be in the bucket before its own then. If it would be in an earlier one,
 * the thread waits for the lock. A thread that reads waits for the lock and closes them.
 *
 * <p>A command counts by {@link CommandWindow} instead, which has no lock and no counters of its
 * own: each object more would cost every command its header.
 */
abstract class WindowedCounts {

  /** Orders the threads that roll, read or reconfigure. */
  final ReentrantLock lock = new ReentrantLock();

  private final int cells;
  private final StripedCounters counts;

  // These fields are read and written under the lock only.
  private final History history = new History();
  private final CumulativeTotals cumulative = new CumulativeTotals();
  private Buckets buckets;

  /** See {@link Buckets#lateFrom}. Written under the lock, read by any thread. */
  private volatile long lateFromNanos;

  /**
   * Nothing is counted yet; the window starts now.
   *
   * @param cells how many counters there are
   * @param windowNanos the rolling window
   * @param bucketCount into how many buckets it is divided; has to divide it
   */
  WindowedCounts(int cells, long windowNanos, int bucketCount, long nowNanos) {
    this.cells = cells;
    this.counts = new StripedCounters(cells);
    this.buckets = new Buckets(windowNanos, bucketCount, nowNanos);
    this.lateFromNanos = buckets.lateFrom();
  }

  /**
   * Closes the buckets that have ended, unless another thread holds the lock and it is not late.
   */
  final void tryRoll(long nowNanos) {
    if (lock.tryLock() || lockIfLate(nowNanos)) {
      try {
        roll(nowNanos);
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean lockIfLate(long nowNanos) {
    if (nowNanos - lateFromNanos < 0) {
      return false;
    }
    return CommandMetrics.waitFor(lock);
  }

  /** Adds to a counter; after {@link #tryRoll}. */
  final void add(int cell, int n) {
    counts.add(cell, n);
  }

  /** What a counter counted in the rolling window. */
  final long rolling(int cell, long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      int[] totals = totals();
      history.subtractUntil(buckets.windowStart(nowNanos), totals);
      return Integer.toUnsignedLong(totals[cell]);
    } finally {
      lock.unlock();
    }
  }

  /** What a counter counted since the beginning. */
  final long cumulative(int cell) {
    lock.lock();
    try {
      cumulative.fold(totals());
      return cumulative.get(cell);
    } finally {
      lock.unlock();
    }
  }

  // The methods below are called under the lock only.

  /** Closes the buckets that have ended. */
  void roll(long nowNanos) {
    if (buckets.isDue(nowNanos)) {
      int[] totals = totals();
      cumulative.fold(totals);
      long ended = buckets.next();
      history.append(ended, totals);
      buckets.moveOn(nowNanos);
      bucketEnded(ended, buckets.next());
      history.prune(buckets.windowStart(nowNanos));
      moveLateFrom();
    }
  }

  /** To be called when buckets have moved. */
  final void moveLateFrom() {
    lateFromNanos = lateFrom();
  }

  /** See {@link Buckets#lateFrom}. */
  long lateFrom() {
    return buckets.lateFrom();
  }

  /**
   * A bucket has ended.
   *
   * @param endNanos its end
   * @param nextEndNanos the end of the bucket of now
   */
  void bucketEnded(long endNanos, long nextEndNanos) {}

  /** The buckets of the window. */
  final Buckets buckets() {
    return buckets;
  }

  /** Goes over to another window that starts a bucket now; after {@link #roll}. Loses no count. */
  final void resize(long windowNanos, int bucketCount, long nowNanos) {
    buckets = new Buckets(windowNanos, bucketCount, nowNanos);
    history.append(nowNanos, totals());
    moveLateFrom();
  }

  /** The window begins now, with nothing in it; after {@link #roll}. */
  final void restartWindow() {
    int[] totals = totals();
    cumulative.fold(totals);
    history.restart(totals);
  }

  private int[] totals() {
    int[] totals = new int[cells];
    counts.sumInto(totals);
    return totals;
  }
}
