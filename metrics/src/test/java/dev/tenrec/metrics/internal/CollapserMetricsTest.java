// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

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
}
