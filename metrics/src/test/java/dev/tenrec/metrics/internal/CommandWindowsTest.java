// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.Retained;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.rolling.StripedCounters;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which bucket a count is in, when buckets close and when windows change. */
class CommandWindowsTest {

  private static final long MS = Duration.ofMillis(1).toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final MetricsSettings SETTINGS =
      new MetricsSettings(10 * SECOND, 10, true, 60 * SECOND, 6, 500 * MS);

  private final CommandMetrics metrics = new CommandMetrics(SETTINGS, 0, () -> 0);

  static Stream<ToLongFunction<CommandMetrics>> readings() {
    long later = 61 * SECOND;
    return Stream.of(
        metrics -> metrics.rollingCount(EventType.FAILURE, later),
        metrics -> metrics.counts(later).rolling().get(EventType.FAILURE),
        metrics -> metrics.health(later).total(),
        metrics -> metrics.latencies(later).execution().count(),
        metrics -> metrics.executionLatency(later).count(),
        metrics -> metrics.callerLatency(later).count(),
        metrics -> metrics.read(later, 0).counts().rolling().get(EventType.FAILURE),
        metrics -> metrics.read(later, 0).health().total(),
        metrics -> metrics.read(later, 0).latencies().caller().count());
  }

  @ParameterizedTest
  @MethodSource("readings")
  void reading_first_closesTheBucketsThatHaveEnded(ToLongFunction<CommandMetrics> reading) {
    metrics.count(EventType.FAILURE);
    metrics.recordExecution(5);
    metrics.recordCaller(5);

    assertThat(reading.applyAsLong(metrics)).isZero();
  }

  @Test
  void counts_first_haveAllSinceTheBeginning() {
    metrics.count(EventType.FAILURE);
    metrics.count(EventType.EMIT, 0);

    assertThat(metrics.counts(1).cumulative().get(EventType.FAILURE)).isEqualTo(1);
    assertThat(metrics.counts(1).cumulative().get(EventType.EMIT)).isZero();
  }

  @Test
  void restart_afterBuckets_startsAtThePresentOne() {
    metrics.restart(5 * SECOND + 500 * MS);
    metrics.count(EventType.FAILURE);

    assertThat(metrics.rollingCount(EventType.FAILURE, 12 * SECOND)).isEqualTo(1);
    assertThat(metrics.rollingCount(EventType.FAILURE, 15 * SECOND)).isZero();
  }

  @Test
  void restartHealth_atTheInstantAtWhichTheWindowBegins_isWithinIt() {
    metrics.roll(SECOND);
    metrics.count(EventType.FAILURE); // in the window as well
    metrics.restartHealth(SECOND);
    metrics.recordSuccess(1);

    assertThat(metrics.health(11 * SECOND - 1)).isEqualTo(new HealthSnapshot(1, 0, 0));
    assertThat(metrics.rollingCount(EventType.FAILURE, 11 * SECOND - 1)).isEqualTo(1);
  }

  @Test
  void restartHealth_beforeAChangeToShorterBuckets_isNotForgotten() {
    CommandMetrics wide = new CommandMetrics(ofSixtySeconds(6), 0, () -> 0);
    wide.roll(SECOND);
    wide.count(EventType.FAILURE, 20);
    wide.restartHealth(6 * SECOND);
    wide.reconfigure(SETTINGS, 9 * SECOND);

    for (long now = 9 * SECOND; now < 30 * SECOND; now += 500 * MS) {
      assertThat(wide.health(now)).as("at %s ms", now / MS).isEqualTo(HealthSnapshot.EMPTY);
    }
  }

  @Test
  void restartHealth_beforeAChangeToShorterBuckets_endsWithTheChange() {
    CommandMetrics wide = new CommandMetrics(ofSixtySeconds(6), 0, () -> 0);
    wide.restartHealth(6 * SECOND);
    wide.count(EventType.FAILURE);
    wide.reconfigure(SETTINGS, 9 * SECOND);

    assertThat(wide.health(18 * SECOND - 1)).isEqualTo(new HealthSnapshot(1, 1, 0));
    assertThat(wide.health(18 * SECOND)).isEqualTo(HealthSnapshot.EMPTY);
  }

  @Test
  void restartHealth_beforeAChangeToLongerBuckets_endsWithItsOwnBucket() {
    metrics.restartHealth(500 * MS);
    metrics.count(EventType.FAILURE);
    metrics.reconfigure(ofSixtySeconds(6), 5 * SECOND);

    assertThat(metrics.health(55 * SECOND - 1)).isEqualTo(new HealthSnapshot(1, 1, 0));
    assertThat(metrics.health(65 * SECOND)).isEqualTo(HealthSnapshot.EMPTY);
  }

  @Test
  void restartHealth_beforeAChangeToAShorterWindowAndBack_isNotForgotten() {
    CommandMetrics wide = new CommandMetrics(ofSixtySeconds(6), 0, () -> 0);
    wide.count(EventType.FAILURE, 20);
    wide.restartHealth(12 * SECOND);
    wide.reconfigure(SETTINGS, 50 * SECOND);
    assertThat(wide.health(50 * SECOND)).isEqualTo(HealthSnapshot.EMPTY);
    wide.reconfigure(ofSixtySeconds(60), 50 * SECOND + 500 * MS);

    assertThat(wide.health(50 * SECOND + 500 * MS)).isEqualTo(HealthSnapshot.EMPTY);
  }

  private static MetricsSettings ofSixtySeconds(int buckets) {
    return new MetricsSettings(60 * SECOND, buckets, true, 60 * SECOND, 6, 500 * MS);
  }

  @Test
  void executions_areThoseOfTheTime_orOfTheWindowIfThatIsShorter() {
    assertThat(metrics.executions(2 * SECOND, 60 * SECOND)).isZero();
    metrics.count(EventType.FAILURE, 120);

    assertThat(metrics.executions(2 * SECOND, 65 * SECOND)).as("the average").isEqualTo(24);
    assertThat(metrics.executions(10 * SECOND, 65 * SECOND)).isEqualTo(120);
    assertThat(metrics.executions(20 * SECOND, 65 * SECOND)).as("all it knows").isEqualTo(120);
    assertThat(metrics.executions(20 * SECOND, 71 * SECOND)).as("gone").isZero();
  }

  @Test
  void reconfigure_afterBuckets_closesThemFirst() {
    metrics.count(EventType.FAILURE);
    metrics.reconfigure(
        new MetricsSettings(10 * SECOND, 5, true, 60 * SECOND, 6, 500 * MS), 5 * SECOND);

    assertThat(metrics.rollingCount(EventType.FAILURE, 12 * SECOND)).isZero();
  }

  @Test
  void reconfigure_bucketsOnly_startsOneOfTheNewWidth() {
    metrics.reconfigure(
        new MetricsSettings(10 * SECOND, 5, true, 60 * SECOND, 6, 500 * MS), 500 * MS);
    metrics.count(EventType.FAILURE); // between 500 and 2,500 ms

    assertThat(metrics.rollingCount(EventType.FAILURE, 10_500 * MS - 1)).isEqualTo(1);
    assertThat(metrics.rollingCount(EventType.FAILURE, 10_500 * MS)).isZero();
  }

  @Test
  void reconfigure_percentileBucketsOnly_startsOneOfTheNewWidth() {
    metrics.reconfigure(
        new MetricsSettings(10 * SECOND, 10, true, 60 * SECOND, 3, 500 * MS), 5 * SECOND);
    metrics.recordExecution(7); // between 5 and 25 s

    assertThat(metrics.executionLatency(65 * SECOND - 1).count()).isEqualTo(1);
    assertThat(metrics.executionLatency(65 * SECOND).count()).isZero();
  }

  @Test
  void reconfigure_toAShorterWindow_startsABucketAtOnce() {
    metrics.count(EventType.FAILURE);
    metrics.reconfigure(new MetricsSettings(SECOND, 10, true, 60 * SECOND, 6, 500 * MS), 500 * MS);

    assertThat(metrics.rollingCount(EventType.FAILURE, 500 * MS + 1)).isEqualTo(1);
    assertThat(metrics.rollingCount(EventType.FAILURE, 1_400 * MS)).isZero();
  }

  @Test
  void cumulative_beyondThirtyTwoBits_losesNothing() {
    for (int bucket = 0; bucket < 5; bucket++) {
      metrics.roll(bucket * SECOND);
      metrics.count(EventType.EMIT, Integer.MAX_VALUE);
    }
    for (int time = 0; time < 5; time++) {
      metrics.restart(5 * SECOND);
      metrics.count(EventType.EMIT, Integer.MAX_VALUE);
    }

    assertThat(metrics.cumulativeCount(EventType.EMIT)).isEqualTo(10L * Integer.MAX_VALUE);
  }

  @Test
  void buckets_thatHaveLeftTheWindow_areNotKept() {
    CommandMetrics off =
        new CommandMetrics(
            new MetricsSettings(10 * SECOND, 10, false, 60 * SECOND, 6, 500 * MS), 0, () -> 0);
    fill(off, 0, 20);
    long afterTwoWindows = Retained.bytes(off);
    fill(off, 20, 400);

    assertThat(Retained.bytes(off)).isEqualTo(afterTwoWindows);
  }

  private static void fill(CommandMetrics metrics, int from, int to) {
    for (int bucket = from; bucket < to; bucket++) {
      metrics.roll(bucket * SECOND);
      metrics.count(EventType.FAILURE);
    }
  }

  @Test
  void reserve_beforeTheFirstCount_makesRoomForIt() throws Exception {
    Field events = CommandCounters.class.getDeclaredField("events");
    events.setAccessible(true);
    StripedCounters counters = (StripedCounters) events.get(metrics);
    assertThat(counters.isUntouched()).isTrue();

    metrics.reserve();

    assertThat(counters.isUntouched()).isFalse();
    assertThat(metrics.health(1)).isEqualTo(HealthSnapshot.EMPTY);
  }
}
