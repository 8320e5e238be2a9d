// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.LatencyTotals;
import dev.tenrec.metrics.latency.SizeTotals;
import dev.tenrec.metrics.view.CommandTotals;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What publishers read: counts and latencies since the beginning, beside the rolling views. */
class CommandTotalsTest {

  private static final long MS = 1_000_000L;
  private static final long SECOND = 1_000 * MS;

  private final AtomicInteger inFlight = new AtomicInteger();
  private final CommandMetrics metrics = new CommandMetrics(settings(true), 0, inFlight::get);

  private static MetricsSettings settings(boolean percentiles) {
    return new MetricsSettings(10 * SECOND, 10, percentiles, 60 * SECOND, 6, 500 * MS);
  }

  @Test
  void totals_withinOneWindow_agreeWithTheRollingViews() {
    for (int i = 1; i <= 100; i++) {
      metrics.recordSuccess(i * MS);
      metrics.count(EventType.FAILURE);
      metrics.recordExecution(i * MS);
      metrics.recordCaller(2 * i * MS);
      metrics.countWouldRefuse();
    }
    CommandTotals totals = metrics.totals(7);

    assertThat(totals.events()).isEqualTo(metrics.counts(SECOND).rolling());
    assertThat(totals.events().get(EventType.SUCCESS)).isEqualTo(100);
    assertThat(totals.wouldRefuse()).isEqualTo(100);
    assertThat(totals.abandoned()).isEqualTo(7);
    agree(totals.execution(), metrics.executionLatency(SECOND));
    agree(totals.caller(), metrics.callerLatency(SECOND));
    assertThat(metrics.read(SECOND, 7).totals()).isEqualTo(totals);
  }

  private static void agree(LatencyTotals totals, LatencySnapshot window) {
    assertThat(totals.count()).isEqualTo(window.count()).isPositive();
    assertThat(totals.sumNanos() / totals.count()).isEqualTo(window.meanNanos());
    long median = window.valueAtPercentile(50);
    assertThat(totals.countsUpTo(median - 1, median)[0]).isLessThan(totals.count() / 2 + 1);
    assertThat(totals.countsUpTo(median - 1, median)[1]).isGreaterThanOrEqualTo(totals.count() / 2);
    assertThat(totals.countsUpTo(Long.MAX_VALUE)).containsExactly(totals.count());
  }

  @Test
  void totals_afterTheWindows_haveKeptAll() {
    metrics.recordSuccess(3 * MS);
    for (int bucket = 1; bucket <= 20; bucket++) {
      metrics.roll(bucket * 10 * SECOND);
    }
    metrics.recordSuccess(3 * MS);
    assertThat(metrics.executionLatency(200 * SECOND).count()).isEqualTo(1);
    assertThat(metrics.totals(0).execution().count()).isEqualTo(2);
    assertThat(metrics.totals(0).caller().count()).isEqualTo(2);
    assertThat(metrics.totals(0).events()).hasToString("{SUCCESS=2}");
  }

  @Test
  void read_withLatenciesInAndBeforeTheWindow_agreesWithEachQuestionAlone() {
    for (long at = 0; at < 200 * SECOND; at += 10 * SECOND) {
      metrics.roll(at);
      metrics.recordSuccess(3 * MS + at / 1_000);
      metrics.recordExecution(5 * MS);
      metrics.recordCaller(70 * MS);
    }
    long now = 195 * SECOND;

    CommandReading read = metrics.read(now, 0);

    agree(read.latencies().execution(), metrics.executionLatency(now), 12);
    agree(read.latencies().caller(), metrics.callerLatency(now), 12);
    agree(metrics.latencies(now).caller(), metrics.callerLatency(now), 12);
    assertThat(read.totals()).isEqualTo(metrics.totals(0));
    assertThat(read.totals().execution().count()).isEqualTo(40);
    assertThat(read.totals().caller().count()).isEqualTo(40);
    assertThat(read.counts().cumulative().get(EventType.SUCCESS)).isEqualTo(20);
  }

  private static void agree(LatencySnapshot one, LatencySnapshot other, int count) {
    assertThat(one.count()).isEqualTo(other.count()).isEqualTo(count);
    assertThat(one.meanNanos()).isEqualTo(other.meanNanos());
    assertThat(one.valueAtPercentile(99)).isEqualTo(other.valueAtPercentile(99));
  }

  @Test
  void totals_ofLatenciesRecordedForBothAtOnce_areOneObject() {
    metrics.recordSuccess(MS);
    CommandTotals totals = metrics.totals(0);
    assertThat(totals.caller()).isSameAs(totals.execution());
    metrics.recordCaller(MS);
    assertThat(metrics.totals(0).caller().count()).isEqualTo(2);
    assertThat(metrics.totals(0).execution()).isEqualTo(totals.execution());
  }

  @Test
  void totals_ofAnIdleCommand_areEmpty() {
    assertThat(metrics.totals(0).execution()).isSameAs(LatencyTotals.EMPTY);
    assertThat(metrics.totals(0).events()).hasToString("{}");
  }

  @Test
  void totals_whenPercentilesWereOff_startAnewAndCountsGoOn() {
    metrics.recordSuccess(MS);
    metrics.reconfigure(settings(false), SECOND);
    assertThat(metrics.totals(0).execution()).isSameAs(LatencyTotals.EMPTY);
    metrics.recordSuccess(MS);
    metrics.reconfigure(settings(true), SECOND);
    metrics.recordSuccess(MS);
    assertThat(metrics.totals(0).execution().count()).isEqualTo(1);
    assertThat(metrics.totals(0).events().get(EventType.SUCCESS)).isEqualTo(3);
  }

  @Test
  void restart_withTroubleInAllWindows_emptiesTheseAndKeepsTheTotals() {
    metrics.recordSuccess(MS);
    metrics.count(EventType.FAILURE, 5);
    metrics.recordExecution(MS);
    inFlight.set(4);
    assertThat(metrics.rollingMaxConcurrency(SECOND)).isEqualTo(4);
    inFlight.set(1);
    CommandTotals before = metrics.totals(0);

    metrics.restart(3 * SECOND);

    assertThat(metrics.counts(3 * SECOND).rolling()).hasToString("{}");
    assertThat(metrics.health(3 * SECOND)).isEqualTo(HealthSnapshot.EMPTY);
    assertThat(metrics.executionLatency(3 * SECOND)).isSameAs(LatencySnapshot.EMPTY);
    assertThat(metrics.rollingMaxConcurrency(3 * SECOND)).isEqualTo(1);
    assertThat(metrics.totals(0)).isEqualTo(before);

    metrics.count(EventType.FAILURE);
    metrics.recordExecution(MS);
    assertThat(metrics.counts(4 * SECOND).rolling()).hasToString("{FAILURE=1}");
    assertThat(metrics.health(4 * SECOND)).isEqualTo(new HealthSnapshot(1, 1, 0));
    assertThat(metrics.executionLatency(4 * SECOND).count()).isEqualTo(1);
    assertThat(metrics.totals(0).execution().count()).isEqualTo(3);
    assertThat(metrics.counts(15 * SECOND).rolling()).hasToString("{}");
  }

  @Test
  void forEachSlot_alwaysCoversEachLatencyOnce() {
    metrics.recordSuccess(100);
    metrics.recordSuccess(5 * MS);
    metrics.recordSuccess(100 * SECOND);
    StringBuilder slots = new StringBuilder();
    metrics
        .totals(0)
        .execution()
        .forEachSlot(
            (from, to, count) -> {
              assertThat(from).isLessThan(to);
              slots.append(count).append(from <= 5 * MS && 5 * MS < to ? "! " : " ");
            });
    assertThat(slots.toString()).isEqualTo("1 1! 1 ");
  }

  @Test
  void countsUpTo_boundsThatFall_isRefused() {
    assertThatThrownBy(() -> LatencyTotals.EMPTY.countsUpTo(2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 comes after 2");
  }

  @Test
  void batchSizeTotals_ofSmallBatches_areExactAndOutlastAReset() {
    CollapserMetrics batches =
        new CollapserMetrics(
            new CollapserMetricsSettings(10 * SECOND, 10, true, 60 * SECOND, 6), 0);
    for (int size = 1; size <= 10; size++) {
      batches.countBatch(size, size, size);
    }
    SizeTotals totals = batches.batchSizeTotals();
    assertThat(totals.count()).isEqualTo(10);
    assertThat(totals.sum()).isEqualTo(55.0);
    assertThat(totals.countsUpTo(0, 1, 5, 10)).containsExactly(0, 1, 5, 10);
    batches.restart(SECOND);
    assertThat(batches.batchSizes(SECOND).count()).isZero();
    assertThat(batches.rollingBatches(SECOND)).isZero();
    assertThat(batches.batchSizeTotals()).isEqualTo(totals);
    assertThat(batches.cumulativeMembers()).isEqualTo(55);
  }
}
