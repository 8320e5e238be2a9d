// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import dev.tenrec.metrics.time.ManualTime;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandMetricsTest {

  private static final long MS = 1_000_000L;

  private final ManualTime time = new ManualTime();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger maximum = new AtomicInteger();
  private final ConcurrencyGauge gauge = () -> maximum.getAndSet(inFlight.get());
  private final CommandMetrics metrics = new CommandMetrics(settings(10, 10, true), now(), gauge);

  @Test
  void counts_ofAnIdleCommand_areZero() {
    time.advanceMillis(123_456);
    assertThat(rolling(EventType.SUCCESS)).isZero();
    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isZero();
    assertThat(metrics.health(now())).isEqualTo(HealthSnapshot.EMPTY);
    assertThat(metrics.executionLatency(now()).count()).isZero();
    assertThat(metrics.rollingMaxConcurrency(now())).isZero();
  }

  @ParameterizedTest
  @EnumSource(EventType.class)
  void count_anEvent_isSeenAtOnceAndOnlyThere(EventType event) {
    metrics.count(event);
    metrics.count(event, 4);
    for (EventType each : EventType.values()) {
      assertThat(rolling(each)).isEqualTo(each == event ? 5 : 0);
      assertThat(metrics.cumulativeCount(each)).isEqualTo(each == event ? 5 : 0);
    }
  }

  @Test
  void read_isWhatEachReadingAloneIs() {
    success(5);
    metrics.count(EventType.SUCCESS);
    metrics.recordExecution(7 * MS);
    time.advanceMillis(3_000);
    end(EventType.TIMEOUT);
    end(EventType.TIMEOUT);
    metrics.count(EventType.FALLBACK_SUCCESS, 2);
    metrics.countWouldRefuse();
    inFlight.set(3);
    maximum.set(4);
    time.advanceMillis(7_500); // the successes have aged out
    CommandReading read = metrics.read(now(), 0);

    assertThat(read.counts()).isEqualTo(metrics.counts(now()));
    for (EventType each : EventType.values()) {
      assertThat(read.counts().rolling().get(each)).isEqualTo(rolling(each));
      assertThat(read.counts().cumulative().get(each)).isEqualTo(metrics.cumulativeCount(each));
    }
    assertThat(read.counts().rolling()).hasToString("{TIMEOUT=2, FALLBACK_SUCCESS=2}");
    assertThat(read.counts().cumulative())
        .hasToString("{SUCCESS=2, TIMEOUT=2, FALLBACK_SUCCESS=2}");
    assertThat(read.health())
        .isEqualTo(new HealthSnapshot(2, 2, 0))
        .isEqualTo(metrics.health(now()));
    assertThat(read.rollingWouldRefuse()).isEqualTo(1);
    assertThat(read.totals().wouldRefuse()).isEqualTo(1);
    assertThat(read.rollingMaxConcurrency()).isEqualTo(metrics.rollingMaxConcurrency(now()));
    LatencySnapshots latencies = metrics.latencies(now());
    assertThat(read.latencies().execution().count()).isEqualTo(2);
    assertThat(read.latencies().caller().count()).isEqualTo(1);
    assertThat(latencies.execution().count()).isEqualTo(metrics.executionLatency(now()).count());
    assertThat(latencies.caller().count()).isEqualTo(metrics.callerLatency(now()).count());
  }

  @Test
  void read_afterTheHealthStartedAnew_keepsTheCounts() {
    metrics.count(EventType.FAILURE, 3);
    metrics.restartHealth(now());
    metrics.count(EventType.FAILURE);
    CommandReading read = metrics.read(now(), 0);
    assertThat(read.health()).isEqualTo(new HealthSnapshot(1, 1, 0));
    assertThat(read.counts().rolling().get(EventType.FAILURE)).isEqualTo(4);
  }

  @Test
  void read_whilePercentilesAreOff_hasNoLatencies() {
    CommandMetrics off = new CommandMetrics(settings(10, 10, false), now(), gauge);
    off.recordSuccess(MS);
    assertThat(off.read(now(), 0).latencies()).isSameAs(LatencySnapshots.EMPTY);
    assertThat(off.read(now(), 0).counts().rolling()).hasToString("{SUCCESS=1}");
  }

  @Test
  void count_negative_isRefused() {
    assertThatThrownBy(() -> metrics.count(EventType.EMIT, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("n: -1 is negative; counts only grow");
  }

  @Test
  void rollingCount_afterTheWindow_hasAgedOutAndCumulativeHasNot() {
    success(5);
    time.advanceMillis(9_999);
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(1);
    time.advanceMillis(1);
    assertThat(rolling(EventType.SUCCESS)).isZero();
    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(1);
  }

  @Test
  void rollingCount_oneASecond_isTheLastTen() {
    for (int second = 1; second <= 25; second++) {
      success(5);
      end(EventType.FAILURE);
      assertThat(rolling(EventType.SUCCESS)).isEqualTo(Math.min(second, 10));
      assertThat(rolling(EventType.FAILURE)).isEqualTo(Math.min(second, 10));
      assertThat(metrics.cumulativeCount(EventType.FAILURE)).isEqualTo(second);
      time.advanceMillis(1_000);
    }
  }

  @Test
  void rollingCount_bucketsSkippedByWritersAndReaders_isExact() {
    time.advanceMillis(500);
    success(5);
    time.advanceMillis(6_000);
    success(5);
    // at 9.9 s both, at 10.0 s the first one's bucket leaves, though nobody rolled at any boundary
    // from 1 s to 6 s
    time.advanceMillis(3_400);
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(2);
    time.advanceMillis(100);
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(1);
    time.advanceMillis(5_999);
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(1);
    time.advanceMillis(1);
    assertThat(rolling(EventType.SUCCESS)).isZero();
  }

  @Test
  void rollingCount_afterALongRest_countsAnew() {
    success(5);
    time.advanceMillis(3_600_000);
    success(5);
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(1);
    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(2);
  }

  @Test
  void counts_cellsThatWrapAround_stayRight() {
    long expected = 0;
    for (int i = 0; i < 12; i++) {
      rollIfDue();
      metrics.count(EventType.EMIT, Integer.MAX_VALUE);
      expected += Integer.MAX_VALUE;
      assertThat(metrics.cumulativeCount(EventType.EMIT)).isEqualTo(expected);
      time.advanceMillis(10_000);
    }
    metrics.count(EventType.EMIT, 3);
    time.advanceMillis(9_000);
    metrics.count(EventType.EMIT, Integer.MAX_VALUE);
    assertThat(metrics.cumulativeCount(EventType.EMIT))
        .isEqualTo(expected + 3L + Integer.MAX_VALUE);
  }

  @Test
  void recordSuccess_withPercentilesOff_countsAndKeepsNoLatency() {
    CommandMetrics off = new CommandMetrics(settings(10, 10, false), now(), gauge);
    off.recordSuccess(MS);
    off.recordExecution(MS);
    off.recordCaller(MS);
    assertThat(off.rollingCount(EventType.SUCCESS, now())).isEqualTo(1);
    assertThat(off.executionLatency(now())).isSameAs(LatencySnapshot.EMPTY);
    assertThat(off.callerLatency(now())).isSameAs(LatencySnapshot.EMPTY);
  }

  @Test
  void latencies_sharedAndSeparate_areAddedUp() {
    success(10);
    metrics.recordExecution(20 * MS);
    metrics.recordCaller(40 * MS);
    metrics.recordCaller(80 * MS);
    assertThat(metrics.executionLatency(now()).count()).isEqualTo(2);
    assertThat(metrics.executionLatency(now()).maxNanos()).isCloseTo(20 * MS, within(320_000L));
    assertThat(metrics.callerLatency(now()).count()).isEqualTo(3);
    assertThat(metrics.callerLatency(now()).minNanos()).isCloseTo(10 * MS, within(160_000L));
    assertThat(metrics.callerLatency(now()).maxNanos()).isCloseTo(80 * MS, within(1_280_000L));
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(1);
  }

  @Test
  void latencies_afterTheirWindow_haveAgedOut() {
    success(10);
    rollIfDue();
    metrics.recordCaller(MS);
    time.advanceMillis(59_999);
    assertThat(metrics.executionLatency(now()).count()).isEqualTo(1);
    assertThat(metrics.callerLatency(now()).count()).isEqualTo(2);
    success(500);
    time.advanceMillis(1);
    assertThat(metrics.executionLatency(now()).count()).isEqualTo(1);
    assertThat(metrics.callerLatency(now()).minNanos()).isGreaterThan(400 * MS);
  }

  @Test
  void isDue_comesWithBucketsAndHealthInterval() {
    assertThat(metrics.isDue(now())).isFalse();
    time.advanceMillis(499);
    assertThat(metrics.isDue(now())).isFalse();
    time.advanceMillis(1);
    assertThat(metrics.isDue(now())).isTrue();
    metrics.roll(now());
    assertThat(metrics.isDue(now())).as("a roll is no look").isTrue();
    assertThat(metrics.lookAtHealth(now())).isEqualTo(HealthSnapshot.EMPTY);
    assertThat(metrics.isDue(now())).isFalse();
    time.advanceMillis(500);
    assertThat(metrics.isDue(now())).isTrue();
  }

  @Test
  void isDueAfterError_aTenthOfTheIntervalAfterTheLastLook() {
    time.advanceMillis(49);
    assertThat(metrics.isDueAfterError(now())).isFalse();
    time.advanceMillis(1);
    assertThat(metrics.isDueAfterError(now())).isTrue();
    assertThat(metrics.isDue(now())).isFalse();
    assertThat(metrics.lookAtHealth(now())).isNotNull();
    assertThat(metrics.isDueAfterError(now())).isFalse();
  }

  @Test
  void health_readByOthers_doesNotPutOffTheBreakersLook() {
    time.advanceMillis(500);
    assertThat(metrics.health(now())).isEqualTo(HealthSnapshot.EMPTY);
    assertThat(metrics.isDue(now())).isTrue();
  }

  @Test
  void lookAtHealth_countsWithoutLag() {
    success(5);
    end(EventType.FAILURE);
    end(EventType.SHORT_CIRCUITED);
    metrics.countSlow();
    assertThat(metrics.lookAtHealth(now())).isEqualTo(new HealthSnapshot(2, 1, 1));
  }

  @Test
  void countStale_leavesEventsAndTakesFromHealth() {
    success(5);
    success(5);
    metrics.countSlow();
    metrics.countStale(false, true);
    end(EventType.TIMEOUT);
    metrics.countStale(true, false);
    assertThat(metrics.health(now())).isEqualTo(new HealthSnapshot(1, 0, 0));
    assertThat(rolling(EventType.TIMEOUT)).isEqualTo(1);
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(2);
  }

  @Test
  void restartHealth_startsHealthAloneFromZero() {
    end(EventType.FAILURE);
    time.advanceMillis(300);
    metrics.restartHealth(now());
    assertThat(metrics.health(now())).isEqualTo(HealthSnapshot.EMPTY);
    assertThat(rolling(EventType.FAILURE)).isEqualTo(1);
    success(5);
    assertThat(metrics.health(now())).isEqualTo(new HealthSnapshot(1, 0, 0));
    time.advanceMillis(9_000);
    assertThat(metrics.health(now())).isEqualTo(new HealthSnapshot(1, 0, 0));
    end(EventType.FAILURE);
    time.advanceMillis(1_000);
    assertThat(metrics.health(now()))
        .as("the rolling window again")
        .isEqualTo(new HealthSnapshot(1, 1, 0));
    assertThat(metrics.cumulativeCount(EventType.FAILURE)).isEqualTo(2);
  }

  @Test
  void countWouldRefuse_isRollingAndCumulative() {
    metrics.countWouldRefuse();
    assertThat(metrics.rollingWouldRefuseCount(now())).isEqualTo(1);
    time.advanceMillis(10_000);
    assertThat(metrics.rollingWouldRefuseCount(now())).isZero();
    assertThat(metrics.cumulativeWouldRefuseCount()).isEqualTo(1);
  }

  @Test
  void rollingMaxConcurrency_isTheGreatestOfTheWindow() {
    run(7);
    time.advanceMillis(1_500);
    run(3);
    assertThat(metrics.rollingMaxConcurrency(now())).isEqualTo(7);
    time.advanceMillis(8_500);
    assertThat(metrics.rollingMaxConcurrency(now())).isEqualTo(3);
    time.advanceMillis(1_500);
    assertThat(metrics.rollingMaxConcurrency(now())).isZero();
  }

  @Test
  void rollingMaxConcurrency_burstAfterARest_isNotTakenForAnOldOne() {
    run(1);
    time.advanceMillis(30_000);
    run(5);
    assertThat(metrics.rollingMaxConcurrency(now())).isEqualTo(5);
  }

  @Test
  void rollingMaxConcurrency_unseenDuringARest_hasAgedOut() {
    run(5);
    time.advanceMillis(30_000);
    assertThat(metrics.rollingMaxConcurrency(now())).isZero();
  }

  @Test
  void rollingMaxConcurrency_callsThatHang_carryOverTheEdges() {
    enter(4);
    time.advanceMillis(30_000);
    assertThat(metrics.rollingMaxConcurrency(now())).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 10, 20, 40})
  void reconfigure_window_losesNoCount(int buckets) {
    for (int second = 0; second < 10; second++) {
      success(5);
      time.advanceMillis(second == 9 ? 700 : 1_000);
    }
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(10);
    metrics.reconfigure(settings(20, buckets, true), now());
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(10);
    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(10);
    assertThat(metrics.executionLatency(now()).count()).isEqualTo(10);
    time.advanceMillis(9_000);
    success(5);
    assertThat(rolling(EventType.SUCCESS))
        .as("20 seconds")
        .isGreaterThanOrEqualTo(11 - 20 / buckets)
        .isLessThanOrEqualTo(11);
    time.advanceMillis(20_000);
    assertThat(rolling(EventType.SUCCESS)).isZero();
    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(11);
  }

  @Test
  void reconfigure_shorterWindow_showsThatWindowAtOnce() {
    for (int second = 0; second < 10; second++) {
      success(5);
      time.advanceMillis(1_000);
    }
    // now is 10 s: a bucket has just begun, and four whole ones belong to the window
    metrics.reconfigure(settings(5, 5, true), now());
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(4);
    // the earlier window's snapshots are kept until the next boundary
    metrics.reconfigure(settings(10, 10, true), now());
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(9);
  }

  @Test
  void reconfigure_percentileWindow_keepsLatencies() {
    success(10);
    metrics.reconfigure(
        new MetricsSettings(10_000 * MS, 10, true, 120_000 * MS, 6, 500 * MS), now());
    time.advanceMillis(99_999);
    assertThat(metrics.executionLatency(now()).count()).isEqualTo(1);
    time.advanceMillis(1);
    assertThat(metrics.executionLatency(now()).count()).isZero();
  }

  @Test
  void reconfigure_percentilesOffAndOn_keepsSuccessesAndStartsLatenciesAfresh() {
    success(10);
    success(10);
    metrics.reconfigure(settings(10, 10, false), now());
    success(10);
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(3);
    assertThat(metrics.executionLatency(now()).count()).isZero();
    metrics.reconfigure(settings(10, 10, true), now());
    success(10);
    assertThat(rolling(EventType.SUCCESS)).isEqualTo(4);
    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(4);
    assertThat(metrics.executionLatency(now()).count()).isEqualTo(1);
    time.advanceMillis(10_000);
    assertThat(rolling(EventType.SUCCESS)).isZero();
  }

  @Test
  void reconfigure_healthInterval_holdsAtOnce() {
    metrics.reconfigure(
        new MetricsSettings(10_000 * MS, 10, true, 60_000 * MS, 6, 100 * MS), now());
    time.advanceMillis(99);
    assertThat(metrics.isDue(now())).isFalse();
    time.advanceMillis(1);
    assertThat(metrics.isDue(now())).isTrue();
  }

  /** Ends a success as the engine does. */
  private void success(long latencyMillis) {
    rollIfDue();
    metrics.recordSuccess(latencyMillis * MS);
  }

  private void end(EventType event) {
    rollIfDue();
    metrics.count(event);
  }

  /** So many executions at once, which then end. */
  private void run(int executions) {
    enter(executions);
    for (int i = 0; i < executions; i++) {
      inFlight.decrementAndGet();
      success(1);
    }
  }

  private void enter(int executions) {
    maximum.accumulateAndGet(inFlight.addAndGet(executions), Math::max);
  }

  private void rollIfDue() {
    if (metrics.isDue(now())) {
      metrics.roll(now());
    }
  }

  private long rolling(EventType event) {
    return metrics.rollingCount(event, now());
  }

  private long now() {
    return time.nanoTime();
  }

  private static MetricsSettings settings(int windowSeconds, int buckets, boolean percentiles) {
    return new MetricsSettings(
        windowSeconds * 1_000 * MS, buckets, percentiles, 60_000 * MS, 6, 500 * MS);
  }
}
