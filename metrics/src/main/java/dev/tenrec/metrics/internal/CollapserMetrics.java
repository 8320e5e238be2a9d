// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.internal.latency.RollingSizes;
import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.latency.SizeTotals;
import org.jspecify.annotations.Nullable;

/** What one collapser counts. Thread-safe, as {@link WindowedCounts} says. */
public final class CollapserMetrics extends WindowedCounts {

  private static final int BATCHES = 0;
  private static final int MEMBERS = 1;
  private static final int CACHE_HITS = 2;
  private static final int CELLS = 3;

  /**
   * Null while percentiles are off. Written under the lock, read by any thread: what is recorded
   * while it is being replaced is lost with the old one.
   */
  private volatile @Nullable RollingSizes sizes;

  /** Written and read under the lock. */
  private CollapserMetricsSettings settings;

  /** Metrics of a collapser without any batch yet; the windows start now. */
  public CollapserMetrics(CollapserMetricsSettings settings, long nowNanos) {
    super(CELLS, settings.rollingWindowNanos(), settings.rollingBuckets(), nowNanos);
    this.settings = settings;
    this.sizes = settings.percentileEnabled() ? newSizes(settings, nowNanos) : null;
    moveLateFrom();
  }

  private static RollingSizes newSizes(CollapserMetricsSettings settings, long nowNanos) {
    return new RollingSizes(
        settings.percentileWindowNanos(), settings.percentileBuckets(), nowNanos);
  }

  /**
   * A batch was started.
   *
   * @param size how many arguments it has
   * @param members how many calls it answers; more than {@code size} where arguments are equal
   */
  public void countBatch(int size, int members, long nowNanos) {
    tryRoll(nowNanos);
    add(BATCHES, 1);
    add(MEMBERS, members);
    RollingSizes recording = sizes;
    if (recording != null) {
      recording.record(size);
    }
  }

  /** A call was answered by the request cache. */
  public void countCacheHit(long nowNanos) {
    tryRoll(nowNanos);
    add(CACHE_HITS, 1);
  }

  /**
   * Goes over to other windows, which start a bucket now; one that stays as it is goes on. Loses no
   * count.
   */
  public void reconfigure(CollapserMetricsSettings changed, long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      CollapserMetricsSettings before = settings;
      settings = changed;
      if (before.rollingWindowNanos() != changed.rollingWindowNanos()
          || before.rollingBuckets() != changed.rollingBuckets()) {
        resize(changed.rollingWindowNanos(), changed.rollingBuckets(), nowNanos);
      }
      RollingSizes present = sizes;
      if (!changed.percentileEnabled()) {
        sizes = null;
      } else if (present == null) {
        sizes = newSizes(changed, nowNanos);
      } else if (before.percentileWindowNanos() != changed.percentileWindowNanos()
          || before.percentileBuckets() != changed.percentileBuckets()) {
        present.reconfigure(changed.percentileWindowNanos(), changed.percentileBuckets(), nowNanos);
      }
      moveLateFrom();
    } finally {
      lock.unlock();
    }
  }

  /** Batches started in the rolling window. */
  public long rollingBatches(long nowNanos) {
    return rolling(BATCHES, nowNanos);
  }

  /** Batches started since the beginning. */
  public long cumulativeBatches() {
    return cumulative(BATCHES);
  }

  /** Calls in the batches of the rolling window. */
  public long rollingMembers(long nowNanos) {
    return rolling(MEMBERS, nowNanos);
  }

  /** Calls in batches since the beginning. */
  public long cumulativeMembers() {
    return cumulative(MEMBERS);
  }

  /** Calls answered by the request cache in the rolling window. */
  public long rollingCacheHits(long nowNanos) {
    return rolling(CACHE_HITS, nowNanos);
  }

  /** Calls answered by the request cache since the beginning. */
  public long cumulativeCacheHits() {
    return cumulative(CACHE_HITS);
  }

  /** How many arguments the batches of the percentile window had; empty while that is off. */
  public SizeSnapshot batchSizes(long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      RollingSizes present = sizes;
      return present == null ? SizeSnapshot.EMPTY : present.window(nowNanos);
    } finally {
      lock.unlock();
    }
  }

  /** How many arguments all batches had; empty while percentiles are off. */
  public SizeTotals batchSizeTotals() {
    lock.lock();
    try {
      RollingSizes present = sizes;
      return present == null ? SizeTotals.EMPTY : present.totals();
    } finally {
      lock.unlock();
    }
  }

  /** The windows begin now. What is counted since the beginning goes on. */
  public void restart(long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      restartWindow();
      RollingSizes present = sizes;
      if (present != null) {
        present.restart();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  void roll(long nowNanos) {
    super.roll(nowNanos);
    RollingSizes present = sizes;
    if (present != null && present.isDue(nowNanos)) {
      present.roll(nowNanos);
      moveLateFrom();
    }
  }

  @Override
  long lateFrom() {
    long counts = super.lateFrom();
    RollingSizes present = sizes;
    return present == null || present.lateFrom() - counts > 0 ? counts : present.lateFrom();
  }
}
