// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.internal.latency.RollingSizes;
import dev.tenrec.metrics.internal.rolling.Buckets;
import dev.tenrec.metrics.internal.rolling.CumulativeTotals;
import dev.tenrec.metrics.internal.rolling.History;
import dev.tenrec.metrics.internal.rolling.StripedCounters;
import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.latency.SizeTotals;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What one collapser counts. Thread-safe; counting is lock-free. Every {@code nowNanos} is a
 * reading of one ticker.
 *
 * <p>A thread that counts first closes the buckets that have ended, unless another thread holds the
 * lock. A thread that reads waits for the lock and closes them.
 */
public final class CollapserMetrics {

  private static final int BATCHES = 0;
  private static final int MEMBERS = 1;
  private static final int CACHE_HITS = 2;
  private static final int CELLS = 3;

  private final ReentrantLock lock = new ReentrantLock();
  private final StripedCounters counts = new StripedCounters(CELLS);

  // These fields are read and written under the lock only.
  private final History history = new History();
  private final CumulativeTotals cumulative = new CumulativeTotals();
  private Buckets buckets;

  /**
   * Null while percentiles are off. Written under the lock, read by any thread: what is recorded
   * while it is being replaced is lost with the old one.
   */
  private volatile @Nullable RollingSizes sizes;

  /** Metrics of a collapser without any batch yet; the windows start now. */
  public CollapserMetrics(CollapserMetricsSettings settings, long nowNanos) {
    this.buckets = new Buckets(settings.rollingWindowNanos(), settings.rollingBuckets(), nowNanos);
    this.sizes = settings.percentileEnabled() ? newSizes(settings, nowNanos) : null;
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
    counts.add(BATCHES);
    counts.add(MEMBERS, members);
    RollingSizes recording = sizes;
    if (recording != null) {
      recording.record(size);
    }
  }

  /** A call was answered by the request cache. */
  public void countCacheHit(long nowNanos) {
    tryRoll(nowNanos);
    counts.add(CACHE_HITS);
  }

  private void tryRoll(long nowNanos) {
    if (lock.tryLock()) {
      try {
        roll(nowNanos);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Goes over to other windows, which start a bucket now. Loses no count. */
  public void reconfigure(CollapserMetricsSettings settings, long nowNanos) {
    lock.lock();
    try {
      roll(nowNanos);
      buckets = new Buckets(settings.rollingWindowNanos(), settings.rollingBuckets(), nowNanos);
      history.append(nowNanos, totals());
      RollingSizes present = sizes;
      if (!settings.percentileEnabled()) {
        sizes = null;
      } else if (present == null) {
        sizes = newSizes(settings, nowNanos);
      } else {
        present.reconfigure(
            settings.percentileWindowNanos(), settings.percentileBuckets(), nowNanos);
      }
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
      int[] totals = totals();
      cumulative.fold(totals);
      history.restart(totals);
      RollingSizes present = sizes;
      if (present != null) {
        present.restart();
      }
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
      history.append(buckets.next(), totals);
      buckets.moveOn(nowNanos);
      history.prune(buckets.windowStart(nowNanos));
    }
    RollingSizes present = sizes;
    if (present != null) {
      present.roll(nowNanos);
    }
  }

  private int[] totals() {
    int[] totals = new int[CELLS];
    counts.sumInto(totals);
    return totals;
  }
}
