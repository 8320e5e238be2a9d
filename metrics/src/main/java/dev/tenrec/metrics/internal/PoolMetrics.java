// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.internal.rolling.Buckets;
import dev.tenrec.metrics.internal.rolling.CumulativeTotals;
import dev.tenrec.metrics.internal.rolling.History;
import dev.tenrec.metrics.internal.rolling.RollingMaximum;
import dev.tenrec.metrics.internal.rolling.StripedCounters;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one thread pool counts. Thread-safe; counting is lock-free. Every {@code nowNanos} is a
 * reading of one ticker.
 *
 * <p>A thread that counts first closes the buckets that have ended, unless another thread holds the
 * lock. A thread that reads waits for the lock and closes them.
 */
public final class PoolMetrics {

  private static final int EXECUTED = 0;
  private static final int REJECTED = 1;

  private final ReentrantLock lock = new ReentrantLock();
  private final StripedCounters counts = new StripedCounters(2);
  private final ConcurrencyGauge gauge;

  // These fields are read and written under the lock only.
  private final History history = new History();
  private final CumulativeTotals cumulative = new CumulativeTotals();
  private final RollingMaximum mostActive = new RollingMaximum();
  private Buckets buckets;

  /**
   * Metrics of a pool without any task yet; the window starts now.
   *
   * @param windowNanos the rolling window
   * @param bucketCount into how many buckets it is divided; has to divide it
   * @param gauge the most threads at work since it was last asked
   */
  public PoolMetrics(long windowNanos, int bucketCount, long nowNanos, ConcurrencyGauge gauge) {
    this.buckets = new Buckets(windowNanos, bucketCount, nowNanos);
    this.gauge = gauge;
  }

  /** A thread took a task up. */
  public void countExecuted(long nowNanos) {
    count(EXECUTED, nowNanos);
  }

  /** A task found the pool full. */
  public void countRejected(long nowNanos) {
    count(REJECTED, nowNanos);
  }

  private void count(int cell, long nowNanos) {
    if (lock.tryLock()) {
      try {
        roll(nowNanos);
      } finally {
        lock.unlock();
      }
    }
    counts.add(cell);
  }

  /** Goes over to another window that starts a bucket now. Loses no count. */
  public void reconfigure(long windowNanos, int bucketCount, long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      buckets = new Buckets(windowNanos, bucketCount, nowNanos);
      history.append(nowNanos, totals());
    } finally {
      lock.unlock();
    }
  }

  /** Tasks taken up by a thread in the rolling window. */
  public long rollingExecuted(long nowNanos) {
    return rolling(EXECUTED, nowNanos);
  }

  /** Tasks that found the pool full in the rolling window. */
  public long rollingRejected(long nowNanos) {
    return rolling(REJECTED, nowNanos);
  }

  /** Tasks taken up by a thread since the beginning. */
  public long cumulativeExecuted() {
    return cumulative(EXECUTED);
  }

  /** Tasks that found the pool full since the beginning. */
  public long cumulativeRejected() {
    return cumulative(REJECTED);
  }

  /** The most threads at work at once in the rolling window. */
  public int rollingMaxActive(long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      mostActive.see(buckets.end(nowNanos), gauge.takeMaximum());
      return mostActive.since(buckets.windowStart(nowNanos));
    } finally {
      lock.unlock();
    }
  }

  /** The window begins now. What is counted since the beginning goes on. */
  public void restart(long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      int[] totals = totals();
      cumulative.fold(totals);
      history.restart(totals);
      int unused = gauge.takeMaximum();
      mostActive.restart();
    } finally {
      lock.unlock();
    }
  }

  private long rolling(int cell, long nowNanos) {
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

  private long cumulative(int cell) {
    lock.lock();
    try {
      cumulative.fold(totals());
      return cumulative.get(cell);
    } finally {
      lock.unlock();
    }
  }

  private void roll(long nowNanos) {
    if (buckets.isDue(nowNanos)) {
      int[] totals = totals();
      cumulative.fold(totals);
      long boundary = buckets.next();
      history.append(boundary, totals);
      int ended = gauge.takeMaximum();
      mostActive.see(boundary, ended);
      buckets.moveOn(nowNanos);
      // what is still at work belongs to the new bucket, too
      mostActive.see(buckets.next(), Math.min(ended, gauge.takeMaximum()));
      history.prune(buckets.windowStart(nowNanos));
    }
  }

  private int[] totals() {
    int[] totals = new int[2];
    counts.sumInto(totals);
    return totals;
  }
}
