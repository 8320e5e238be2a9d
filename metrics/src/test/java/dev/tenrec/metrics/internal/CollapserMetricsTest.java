// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.Retained;
import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.latency.SizeTotals;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CollapserMetricsTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final CollapserMetricsSettings DEFAULTS =
      new CollapserMetricsSettings(10 * SECOND, 10, true, 60 * SECOND, 6);

  private final CollapserMetrics metrics = new CollapserMetrics(DEFAULTS, 0);

  @Test
  void countBatch_inTheWindow_countsBatchesMembersAndSizes() {
    metrics.countBatch(3, 5, 1);
    metrics.countBatch(7, 7, 2);
    metrics.countCacheHit(3);
    assertThat(metrics.rollingBatches(4)).isEqualTo(2);
    assertThat(metrics.rollingMembers(4)).isEqualTo(12);
    assertThat(metrics.rollingCacheHits(4)).isEqualTo(1);
    assertThat(metrics.batchSizes(4).count()).isEqualTo(2);
    assertThat(metrics.batchSizes(4).mean()).isEqualTo(5);
    assertThat(metrics.batchSizes(4).min()).isEqualTo(3);
    assertThat(metrics.batchSizes(4).max()).isEqualTo(7);
    assertThat(metrics.batchSizes(4).valueAtPercentile(50)).isEqualTo(3);
  }

  @Test
  void rolling_afterTheWindow_forgetsAndCumulativeDoesNot() {
    metrics.countBatch(3, 5, 1);
    long later = 11 * SECOND;
    assertThat(metrics.rollingBatches(later)).isZero();
    assertThat(metrics.rollingMembers(later)).isZero();
    assertThat(metrics.cumulativeBatches()).isEqualTo(1);
    assertThat(metrics.cumulativeMembers()).isEqualTo(5);
    assertThat(metrics.cumulativeCacheHits()).isZero();
    assertThat(metrics.batchSizes(later).count()).isEqualTo(1);
    assertThat(metrics.batchSizes(61 * SECOND).count()).isZero();
    assertThat(metrics.batchSizes(61 * SECOND).mean()).isZero();
  }

  @Test
  void batchSizes_large_areWithinTheirPrecision() {
    for (int size : new int[] {0, 1, 63, 64, 65, 100, 1_000, 1_000_000}) {
      CollapserMetrics one = new CollapserMetrics(DEFAULTS, 0);
      one.countBatch(size, size, 1);
      double allowed = size < 64 ? 0 : size * 0.016 + 0.5;
      assertThat((double) one.batchSizes(2).max())
          .as("size %d", size)
          .isBetween(size - allowed, size + allowed);
      assertThat(one.batchSizes(2).mean()).isBetween(size - allowed, size + allowed);
    }
  }

  @Test
  void reconfigure_percentilesOffAndOn_keepsTheCounts() {
    metrics.countBatch(3, 5, 1);
    metrics.reconfigure(new CollapserMetricsSettings(SECOND, 10, false, SECOND, 1), 2);
    assertThat(metrics.batchSizes(3).count()).isZero();
    metrics.countBatch(4, 4, 4);
    assertThat(metrics.rollingMembers(5)).isEqualTo(9);
    metrics.reconfigure(DEFAULTS, 6);
    metrics.countBatch(6, 6, 7);
    assertThat(metrics.batchSizes(8).count()).isEqualTo(1);
    metrics.reconfigure(
        new CollapserMetricsSettings(10 * SECOND, 10, true, 30 * SECOND, 3), 9); // another window
    assertThat(metrics.batchSizes(10).max()).isEqualTo(6);
    assertThat(metrics.cumulativeMembers()).isEqualTo(15);
  }

  @Test
  void rolling_withoutARead_closesBucketsByCounting() {
    metrics.countBatch(3, 5, 1);
    metrics.countCacheHit(1);
    metrics.countBatch(2, 2, 5 * SECOND); // closes the first bucket
    metrics.countCacheHit(5 * SECOND);

    assertThat(metrics.rollingBatches(10 * SECOND)).as("that of bucket 5").isEqualTo(1);
    assertThat(metrics.rollingMembers(10 * SECOND)).isEqualTo(2);
    assertThat(metrics.rollingCacheHits(10 * SECOND)).isEqualTo(1);
    assertThat(metrics.rollingCacheHits(15 * SECOND)).isZero();
  }

  @Test
  void countCacheHit_first_closesTheBucketsThatHaveEnded() {
    metrics.countBatch(3, 5, 1);
    metrics.countCacheHit(5 * SECOND);

    assertThat(metrics.rollingCacheHits(10 * SECOND)).isEqualTo(1);
    assertThat(metrics.rollingMembers(10 * SECOND)).isZero();
    assertThat(metrics.cumulativeCacheHits()).isEqualTo(1);
  }

  @Test
  void batchSizes_first_closesTheBucketsThatHaveEnded() {
    metrics.countBatch(3, 5, 1);
    assertThat(metrics.batchSizes(61 * SECOND).count()).isZero();
  }

  @Test
  void restart_afterBuckets_startsAtThePresentOne() {
    metrics.restart(5 * SECOND + SECOND / 2);
    metrics.countCacheHit(5 * SECOND + SECOND / 2);

    assertThat(metrics.rollingCacheHits(12 * SECOND)).isEqualTo(1);
    assertThat(metrics.rollingCacheHits(15 * SECOND)).isZero();
  }

  @Test
  void restart_afterBuckets_hasClosedThem_forACountThatCannot() throws InterruptedException {
    metrics.restart(5 * SECOND + SECOND / 2);
    Thread counts = new Thread(() -> metrics.countCacheHit(5 * SECOND + SECOND / 2));
    metrics.lock.lock(); // as a reader: counting does not wait for it
    try {
      counts.start();
      counts.join(PatientWaits.patience().toMillis());
      assertThat(counts.isAlive()).isFalse();
    } finally {
      metrics.lock.unlock();
    }

    assertThat(metrics.rollingCacheHits(12 * SECOND)).isEqualTo(1);
    assertThat(metrics.rollingCacheHits(15 * SECOND)).isZero();
  }

  @Test
  void cumulative_beyondThirtyTwoBits_losesNothing() {
    for (int bucket = 0; bucket < 5; bucket++) {
      metrics.countBatch(1, Integer.MAX_VALUE, bucket * SECOND);
    }

    assertThat(metrics.cumulativeMembers()).isEqualTo(5L * Integer.MAX_VALUE);
    assertThat(metrics.rollingMembers(12 * SECOND)).isEqualTo(2L * Integer.MAX_VALUE);
  }

  @Test
  void restart_beyondThirtyTwoBits_losesNothing() {
    for (int time = 0; time < 4; time++) {
      metrics.countBatch(1, Integer.MAX_VALUE, 1);
      metrics.restart(1);
    }

    assertThat(metrics.cumulativeMembers()).isEqualTo(4L * Integer.MAX_VALUE);
  }

  @Test
  void buckets_thatHaveLeftTheWindows_areNotKept() {
    fill(0, 120);
    long afterTwoWindows = Retained.bytes(metrics);
    fill(120, 600);

    assertThat(Retained.bytes(metrics)).isEqualTo(afterTwoWindows);
  }

  private void fill(int from, int to) {
    for (int bucket = from; bucket < to; bucket++) {
      metrics.countBatch(3, 5, bucket * SECOND);
      metrics.countCacheHit(bucket * SECOND);
    }
  }

  @Test
  void batchSizes_bucketByBucket_areClosedByCounting() {
    metrics.countBatch(3, 3, 1);
    metrics.countBatch(9, 9, 30 * SECOND); // closes the first bucket of ten seconds

    assertThat(metrics.batchSizes(60 * SECOND - 1).count()).isEqualTo(2);
    assertThat(metrics.batchSizes(60 * SECOND).count()).isEqualTo(1);
    assertThat(metrics.batchSizes(60 * SECOND).min()).isEqualTo(9);
    assertThat(metrics.batchSizeTotals().count()).isEqualTo(2);
  }

  @Test
  void reconfigure_toAShorterWindow_startsABucketAtOnce() {
    metrics.countBatch(3, 5, 1);
    metrics.reconfigure(
        new CollapserMetricsSettings(SECOND, 10, true, SECOND, 10), SECOND / 2); // percentiles, too

    assertThat(metrics.rollingBatches(SECOND / 2 + 1)).isEqualTo(1);
    assertThat(metrics.batchSizes(SECOND / 2 + 1).count()).isEqualTo(1);
    assertThat(metrics.rollingBatches(SECOND / 2 + 9 * SECOND / 10)).isZero();
    assertThat(metrics.batchSizes(SECOND / 2 + SECOND).count()).isZero();
  }

  /** As by a change of a setting that is none of metrics. */
  @Test
  void reconfigure_toTheSame_startsNoBucket() {
    CollapserMetricsSettings one =
        new CollapserMetricsSettings(10 * SECOND, 1, true, 10 * SECOND, 1);
    CollapserMetrics subject = new CollapserMetrics(one, 0);
    subject.countBatch(3, 5, 1);
    subject.countCacheHit(1);

    subject.reconfigure(
        new CollapserMetricsSettings(10 * SECOND, 1, true, 10 * SECOND, 1), 5 * SECOND);

    assertThat(subject.rollingMembers(6 * SECOND)).isEqualTo(5);
    assertThat(subject.rollingCacheHits(6 * SECOND)).isOne();
    assertThat(subject.batchSizes(6 * SECOND).count()).isOne();
  }

  @Test
  void reconfigure_ofOneWindow_leavesTheOther() {
    CollapserMetricsSettings both =
        new CollapserMetricsSettings(10 * SECOND, 1, true, 10 * SECOND, 1);
    CollapserMetrics subject = new CollapserMetrics(both, 0);
    subject.countBatch(3, 5, 1);

    subject.reconfigure(
        new CollapserMetricsSettings(10 * SECOND, 1, true, 20 * SECOND, 1), 5 * SECOND);

    assertThat(subject.rollingMembers(6 * SECOND)).isEqualTo(5);
    subject.countBatch(7, 7, 6 * SECOND);
    subject.reconfigure(
        new CollapserMetricsSettings(10 * SECOND, 10, true, 20 * SECOND, 1), 7 * SECOND);
    assertThat(subject.batchSizes(8 * SECOND).max()).isEqualTo(7);
  }

  @Test
  void reconfigure_afterBuckets_closesThemFirst() {
    metrics.countBatch(3, 5, 1);
    metrics.reconfigure(DEFAULTS, 5 * SECOND);

    assertThat(metrics.rollingMembers(10 * SECOND)).isZero();
    assertThat(metrics.cumulativeMembers()).isEqualTo(5);
  }

  @Test
  void restart_withCounts_beginsTheWindowsOnly() {
    metrics.countBatch(3, 5, 1);
    metrics.countCacheHit(1);

    metrics.restart(2);

    assertThat(metrics.rollingBatches(3)).isZero();
    assertThat(metrics.rollingMembers(3)).isZero();
    assertThat(metrics.rollingCacheHits(3)).isZero();
    assertThat(metrics.batchSizes(3).count()).isZero();
    assertThat(metrics.cumulativeMembers()).isEqualTo(5);
    assertThat(metrics.batchSizeTotals().count()).isEqualTo(1);
    metrics.countBatch(2, 2, 4);
    assertThat(metrics.rollingMembers(5)).isEqualTo(2);
    assertThat(metrics.batchSizes(5).max()).isEqualTo(2);
  }

  @Test
  void restart_percentilesOff_beginsTheWindowOfCounts() {
    CollapserMetrics off =
        new CollapserMetrics(new CollapserMetricsSettings(10 * SECOND, 10, false, 1, 1), 0);
    off.countBatch(3, 5, 1);

    off.restart(2);

    assertThat(off.rollingMembers(3)).isZero();
    assertThat(off.cumulativeMembers()).isEqualTo(5);
    assertThat(off.batchSizeTotals()).isSameAs(SizeTotals.EMPTY);
    assertThat(off.batchSizes(3)).isSameAs(SizeSnapshot.EMPTY);
  }
}
