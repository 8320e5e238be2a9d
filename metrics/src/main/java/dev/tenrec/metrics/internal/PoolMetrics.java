// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.internal.rolling.RollingMaximum;

/** What one thread pool counts. Thread-safe, as {@link WindowedCounts} says. */
public final class PoolMetrics extends WindowedCounts {

  private static final int EXECUTED = 0;
  private static final int REJECTED = 1;
  private static final int CELLS = 2;

  private final ConcurrencyGauge gauge;

  /** Read and written under the lock only. */
  private final RollingMaximum mostActive = new RollingMaximum();

  /**
   * Metrics of a pool without any task yet; the window starts now.
   *
   * @param windowNanos the rolling window
   * @param bucketCount into how many buckets it is divided; has to divide it
   * @param gauge the most threads at work since it was last asked
   */
  public PoolMetrics(long windowNanos, int bucketCount, long nowNanos, ConcurrencyGauge gauge) {
    super(CELLS, windowNanos, bucketCount, nowNanos);
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
    tryRoll(nowNanos);
    add(cell, 1);
  }

  /** Goes over to another window that starts a bucket now. Loses no count. */
  public void reconfigure(long windowNanos, int bucketCount, long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      resize(windowNanos, bucketCount, nowNanos);
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
      mostActive.see(buckets().end(nowNanos), gauge.takeMaximum());
      return mostActive.since(buckets().windowStart(nowNanos));
    } finally {
      lock.unlock();
    }
  }

  /** The window begins now. What is counted since the beginning goes on. */
  public void restart(long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      restartWindow();
      int unused = gauge.takeMaximum();
      mostActive.restart();
    } finally {
      lock.unlock();
    }
  }

  @Override
  void bucketEnded(long endNanos, long nextEndNanos) {
    int ended = gauge.takeMaximum();
    mostActive.see(endNanos, ended);
    // what is still at work belongs to the new bucket, too
    mostActive.see(nextEndNanos, Math.min(ended, gauge.takeMaximum()));
  }
}
