// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tenrec.metrics.Retained;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.time.ManualTime;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What a command's metrics allocate, in bytes, with compressed references. */
class CommandMetricsFootprintTest {

  private static final long MS = 1_000_000L;
  private static final int CALLS = 20_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final MetricsSettings settings =
      new MetricsSettings(10_000 * MS, 10, true, 60_000 * MS, 6, 500 * MS);
  private final ManualTime time = new ManualTime();

  @Test
  void recording_onceTheThreadsStripeExists_allocatesNothing() {
    CommandMetrics metrics = metrics();
    CommandMetrics off =
        new CommandMetrics(new MetricsSettings(10, 10, false, 60, 6, 5), time.nanoTime(), () -> 0);
    for (int warmUp = 0; warmUp < 3; warmUp++) {
      record(metrics);
      record(off);
    }
    long before = THREADS.getCurrentThreadAllocatedBytes();
    record(metrics);
    record(off);
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

    // one object a call would be 320,000 and more; the rest is the JVM's own
    assertThat(allocated).isLessThan(4_096);
    assertThat(metrics.cumulativeCount(EventType.FAILURE)).isEqualTo(4 * CALLS);
    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(4 * CALLS);
  }

  @Test
  void construction_neverCalled_isSmall() {
    CommandMetrics[] kept = new CommandMetrics[1_000];
    kept[0] = metrics();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 1; i < kept.length; i++) {
      kept[i] = metrics();
    }
    long each = (THREADS.getCurrentThreadAllocatedBytes() - before) / (kept.length - 1);
    assertThat(each).isBetween(100L, 400L);
    assertThat(kept).doesNotContainNull();
  }

  @Test
  void tenThousandCalls_fromOneThread_keepAtMostSixteenKilobytes() {
    CommandMetrics metrics = metrics();
    // the fastest and the slowest there can be: they must not widen what is kept of every bucket
    // from then on
    metrics.recordSuccess(0);
    metrics.recordSuccess(Long.MAX_VALUE);
    SplittableRandom random = new SplittableRandom(7);
    for (int call = 0; call < 10_000; call++) {
      long now = time.advanceMillis(12).nanoTime();
      boolean due = metrics.isDue(now);
      if (due) {
        metrics.roll(now);
      }
      // 1 to about 30 ms, now and then a second
      metrics.recordSuccess(
          (long) (MS * Math.pow(30, random.nextDouble())) + (call % 1_000 == 999 ? 1_000 * MS : 0));
      if (due) {
        assertThat(metrics.lookAtHealth(now)).isNotNull();
      }
    }
    assertThat(metrics.executionLatency(time.nanoTime()).count()).isBetween(4_000L, 5_000L);
    assertThat(Retained.bytes(metrics)).isBetween(4_000L, 16_384L);

    time.advanceMillis(120_000);
    assertThat(metrics.executionLatency(time.nanoTime())).isSameAs(LatencySnapshot.EMPTY);
    assertThat(Retained.bytes(metrics)).as("at rest").isLessThan(8_192L);
  }

  private CommandMetrics metrics() {
    return new CommandMetrics(settings, time.nanoTime(), () -> 0);
  }

  private static void record(CommandMetrics metrics) {
    for (int i = 0; i < CALLS; i++) {
      metrics.recordSuccess(i << 10);
      metrics.recordExecution(i << 10);
      metrics.recordCaller(i << 10);
      metrics.count(EventType.FAILURE);
      metrics.countSlow();
      metrics.countStale(true, true);
      metrics.countWouldRefuse();
      if (metrics.isDue(0) && metrics.isDueAfterError(0)) {
        metrics.count(EventType.EMIT, 2);
      }
    }
  }
}
