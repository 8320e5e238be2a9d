// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tenrec.metrics.internal.slots.LatencySlots;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencySnapshotTest {

  private static final Percentage SLOT_ERROR = Percentage.withPercentage(1.5625);
  private static final Percentage WITH_HDR_ERROR = Percentage.withPercentage(2.4);

  @Test
  void empty_isAllZeros() {
    LatencySnapshot empty = LatencySnapshot.of(new int[LatencySlots.COUNT]);
    assertThat(empty).isSameAs(LatencySnapshot.EMPTY);
    assertThat(empty.count()).isZero();
    assertThat(empty.meanNanos()).isZero();
    assertThat(empty.minNanos()).isZero();
    assertThat(empty.maxNanos()).isZero();
    assertThat(empty.valueAtPercentile(99)).isZero();
    assertThat(empty.toHistogram().getTotalCount()).isZero();
  }

  @Test
  void valueAtPercentile_ofRandomLatencies_isWithinASlotOfTheTruth() {
    SplittableRandom random = new SplittableRandom(42);
    // 4 microseconds to 60 seconds, as many in each octave
    long[] latencies =
        random.doubles(20_000).mapToLong(d -> (long) (4_000 * Math.pow(15_000_000, d))).toArray();
    LatencySnapshot snapshot = snapshot(latencies);
    Histogram histogram = snapshot.toHistogram();
    Arrays.sort(latencies);

    assertThat(snapshot.count()).isEqualTo(20_000);
    assertThat(histogram.getTotalCount()).isEqualTo(20_000);
    for (double percentile :
        new double[] {0, 0.1, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 100}) {
      long truth = latencies[(int) Math.max(1, Math.ceil(Math.nextDown(percentile) * 200)) - 1];
      assertThat(snapshot.valueAtPercentile(percentile)).isCloseTo(truth, SLOT_ERROR);
      assertThat(histogram.getValueAtPercentile(percentile)).isCloseTo(truth, WITH_HDR_ERROR);
    }
    assertThat(snapshot.minNanos())
        .isCloseTo(latencies[0], SLOT_ERROR)
        .isEqualTo(snapshot.valueAtPercentile(0));
    assertThat(snapshot.maxNanos())
        .isCloseTo(latencies[19_999], SLOT_ERROR)
        .isEqualTo(snapshot.valueAtPercentile(100));
    assertThat(snapshot.meanNanos())
        .isCloseTo(Arrays.stream(latencies).average().orElseThrow(), SLOT_ERROR);
  }

  @Test
  void valueAtPercentile_ofTwo_changesAfterTheHalf() {
    LatencySnapshot snapshot = snapshot(1_000_000, 2_000_000);
    assertThat(snapshot.valueAtPercentile(50)).isEqualTo(snapshot.minNanos());
    assertThat(snapshot.valueAtPercentile(50.1)).isEqualTo(snapshot.maxNanos());
  }

  @Test
  void valueAtPercentile_ofAThousand_isNotPutOffByRounding() {
    long[] latencies = new long[1000];
    Arrays.fill(latencies, 1_000_000);
    latencies[999] = 9_000_000;
    LatencySnapshot snapshot = snapshot(latencies);
    assertThat(snapshot.valueAtPercentile(99.9)).isEqualTo(snapshot.minNanos());
    assertThat(snapshot.valueAtPercentile(99.91)).isEqualTo(snapshot.maxNanos());
  }

  @Test
  void of_countAboveTheIntRange_isUnsigned() {
    int[] counts = new int[LatencySlots.COUNT];
    counts[100] = -1;
    LatencySnapshot snapshot = LatencySnapshot.of(counts);
    assertThat(snapshot.count()).isEqualTo(4_294_967_295L);
    assertThat(snapshot.meanNanos()).isCloseTo(LatencySlots.midpoint(100), within(0.5));
    assertThat(snapshot.toHistogram().getTotalCount()).isEqualTo(4_294_967_295L);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 100.1, Double.NaN, Double.POSITIVE_INFINITY})
  void valueAtPercentile_noPercentile_isRefused(double percentile) {
    assertThatThrownBy(() -> snapshot(1).valueAtPercentile(percentile))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("percentile: " + percentile + " is not between 0 and 100");
  }

  private static LatencySnapshot snapshot(long... latencies) {
    int[] counts = new int[LatencySlots.COUNT];
    for (long latency : latencies) {
      counts[LatencySlots.indexOf(latency)]++;
    }
    return LatencySnapshot.of(counts);
  }
}
