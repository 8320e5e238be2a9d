// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.Retained;
import dev.tenrec.metrics.internal.rolling.StripedCounters;
import java.lang.reflect.Field;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A window of ten seconds in ten buckets, from the moment 0 on. */
class PoolMetricsTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** The most threads at work since it was asked, and those at work now. */
  private int most;

  private int active;

  private final PoolMetrics metrics = new PoolMetrics(10 * SECOND, 10, 0, this::takeMaximum);

  private int takeMaximum() {
    int maximum = most;
    most = active;
    return maximum;
  }

  @Test
  void counts_inTheWindow_areOfTheirKind() {
    metrics.countExecuted(1);
    metrics.countExecuted(2);
    metrics.countRejected(3);

    assertThat(metrics.rollingExecuted(4)).isEqualTo(2);
    assertThat(metrics.rollingRejected(4)).isEqualTo(1);
    assertThat(metrics.cumulativeExecuted()).isEqualTo(2);
    assertThat(metrics.cumulativeRejected()).isEqualTo(1);
  }

  @Test
  void rolling_bucketByBucket_forgetsWhatIsOlderThanTheWindow() {
    for (int bucket = 0; bucket < 20; bucket++) {
      for (int task = 0; task <= bucket; task++) {
        metrics.countExecuted(bucket * SECOND + 1);
      }
    }

    assertThat(metrics.rollingExecuted(20 * SECOND - 1)).as("buckets 10 to 19").isEqualTo(155);
    assertThat(metrics.rollingExecuted(20 * SECOND)).as("without bucket 10").isEqualTo(144);
    assertThat(metrics.rollingExecuted(29 * SECOND - 1)).as("bucket 19 only").isEqualTo(20);
    assertThat(metrics.rollingExecuted(29 * SECOND)).isZero();
    assertThat(metrics.cumulativeExecuted()).isEqualTo(210);
  }

  @Test
  void rolling_withoutARead_closesBucketsByCounting() {
    metrics.countExecuted(1);
    metrics.countRejected(5 * SECOND); // closes the first bucket
    metrics.countExecuted(5 * SECOND);

    assertThat(metrics.rollingExecuted(10 * SECOND)).as("that of bucket 5").isEqualTo(1);
    assertThat(metrics.rollingRejected(10 * SECOND)).isEqualTo(1);
  }

  @Test
  void buckets_thatHaveLeftTheWindow_areNotKept() {
    fill(0, 20);
    long afterTwoWindows = Retained.bytes(metrics);
    fill(20, 400);

    assertThat(Retained.bytes(metrics)).isEqualTo(afterTwoWindows);
  }

  private void fill(int from, int to) {
    for (int bucket = from; bucket < to; bucket++) {
      most = 20;
      metrics.countExecuted(bucket * SECOND);
      metrics.countRejected(bucket * SECOND);
    }
  }

  @Test
  void rollingMaxActive_afterItsBuckets_forgetsThePeak() {
    active = 2;
    most = 7;
    assertThat(metrics.rollingMaxActive(1)).isEqualTo(7);
    active = 0;
    assertThat(metrics.rollingMaxActive(2)).as("not forgotten by reading").isEqualTo(7);

    assertThat(metrics.rollingMaxActive(10 * SECOND - 1)).isEqualTo(7);
    assertThat(metrics.rollingMaxActive(10 * SECOND)).isZero();
  }

  @Test
  void rollingMaxActive_peakBeforeTheBoundary_countsForTheBucketBefore() {
    most = 7;
    metrics.countExecuted(SECOND); // closes the first bucket, in which the peak was

    assertThat(metrics.rollingMaxActive(10 * SECOND - 1)).isEqualTo(7);
    assertThat(metrics.rollingMaxActive(10 * SECOND)).isZero();
  }

  @Test
  void rollingMaxActive_peakAsTheBucketEnds_doesNotCountForTheNextAsWell() {
    active = 3;
    most = 7;
    metrics.countExecuted(SECOND); // 7 were at work in the first bucket, 3 of them still are

    active = 0; // and end before anything is asked
    most = 0;
    assertThat(metrics.rollingMaxActive(10 * SECOND)).isEqualTo(3);
  }

  @Test
  void reconfigure_toAShorterWindow_keepsTheCountsAndForgetsSooner() {
    metrics.countExecuted(1);
    metrics.reconfigure(SECOND, 10, SECOND / 2);
    metrics.countExecuted(SECOND / 2 + 1);

    assertThat(metrics.rollingExecuted(SECOND / 2 + 2)).isEqualTo(2);
    long afterTheOlder = SECOND / 2 + 9 * SECOND / 10;
    assertThat(metrics.rollingExecuted(afterTheOlder)).as("from the change on").isEqualTo(1);
    assertThat(metrics.rollingExecuted(SECOND / 2 + SECOND)).isZero();
    assertThat(metrics.cumulativeExecuted()).isEqualTo(2);
  }

  @Test
  void reconfigure_afterBuckets_closesThemFirst() {
    metrics.countExecuted(1);
    metrics.reconfigure(10 * SECOND, 5, 5 * SECOND);

    assertThat(metrics.rollingExecuted(10 * SECOND)).isZero();
    assertThat(metrics.cumulativeExecuted()).isEqualTo(1);
  }

  @Test
  void restart_withCountsAndAPeak_beginsTheWindowOnly() {
    metrics.countExecuted(1);
    metrics.countRejected(1);
    most = 7;
    assertThat(metrics.rollingMaxActive(2)).isEqualTo(7);
    most = 5; // not looked at yet

    metrics.restart(3);

    assertThat(metrics.rollingExecuted(4)).isZero();
    assertThat(metrics.rollingRejected(4)).isZero();
    assertThat(metrics.rollingMaxActive(4)).isZero();
    assertThat(metrics.cumulativeExecuted()).isEqualTo(1);
    metrics.countExecuted(5);
    assertThat(metrics.rollingExecuted(6)).isEqualTo(1);
    assertThat(metrics.cumulativeExecuted()).isEqualTo(2);
  }

  @Test
  void restart_afterBuckets_startsAtThePresentOne() {
    metrics.restart(5 * SECOND + SECOND / 2);
    most = 4;
    metrics.countExecuted(6 * SECOND); // closes the bucket of the restart

    assertThat(metrics.rollingMaxActive(15 * SECOND - 1)).isEqualTo(4);
    assertThat(metrics.rollingMaxActive(15 * SECOND)).isZero();
  }

  @Test
  void rollingMaxActive_first_closesTheBucketsThatHaveEnded() {
    most = 7;
    assertThat(metrics.rollingMaxActive(11 * SECOND)).isZero();
  }

  @Test
  void cumulative_beyondThirtyTwoBits_losesNothing() throws Exception {
    Field field = WindowedCounts.class.getDeclaredField("counts");
    field.setAccessible(true);
    StripedCounters counts = (StripedCounters) field.get(metrics);
    for (int bucket = 1; bucket <= 5; bucket++) {
      counts.add(0, Integer.MAX_VALUE - 1);
      metrics.countExecuted(bucket * SECOND);
    }
    for (int time = 0; time < 5; time++) {
      counts.add(0, Integer.MAX_VALUE);
      metrics.restart(5 * SECOND);
    }

    assertThat(metrics.cumulativeExecuted()).isEqualTo(10L * Integer.MAX_VALUE);
  }
}
