// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writers against bucket roll-over, readers and reconfiguration, in real time. */
@Tag("race")
class CommandMetricsRaceTest {

  private static final long MS = 1_000_000L;
  private static final int HOUR_MILLIS = 3_600_000;
  private static final long RUN_NANOS = 700 * MS;

  private final Ticker ticker = Ticker.system();
  private final long endNanos = ticker.nanoTime() + RUN_NANOS;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CommandMetrics metrics =
      new CommandMetrics(settings(20, 20, true), ticker.nanoTime(), () -> 1);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void counts_whileBucketsRollOver_areNeitherLostNorDoubled() throws Exception {
    long[] counted = race(this::read);

    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(counted[0]);
    assertThat(metrics.cumulativeCount(EventType.FAILURE)).isEqualTo(counted[1]);
    long later = ticker.nanoTime() + 20 * MS;
    assertThat(metrics.rollingCount(EventType.SUCCESS, later)).isZero();
    assertThat(metrics.rollingCount(EventType.FAILURE, later)).isZero();
    assertThat(metrics.health(later)).isEqualTo(HealthSnapshot.EMPTY);
  }

  @Test
  void counts_inAWindowThatOutlastsTheRun_areAllInIt() throws Exception {
    metrics.reconfigure(settings(HOUR_MILLIS, HOUR_MILLIS / 100, true), ticker.nanoTime());
    long[] counted = race(this::read);

    long now = ticker.nanoTime();
    assertThat(metrics.rollingCount(EventType.SUCCESS, now)).isEqualTo(counted[0]);
    assertThat(metrics.rollingCount(EventType.FAILURE, now)).isEqualTo(counted[1]);
    assertThat(metrics.health(now))
        .isEqualTo(new HealthSnapshot(counted[0] + counted[1], counted[1], 0));
    assertThat(metrics.executionLatency(now).count()).isEqualTo(counted[0] + counted[1]);
    assertThat(metrics.callerLatency(now).count()).isEqualTo(counted[0]);
  }

  @Test
  void counts_whilePercentilesAndWindowsAreSwitched_areNeitherLostNorDoubled() throws Exception {
    long[] counted = race(this::reconfigure);

    assertThat(metrics.cumulativeCount(EventType.SUCCESS)).isEqualTo(counted[0]);
    assertThat(metrics.cumulativeCount(EventType.FAILURE)).isEqualTo(counted[1]);
  }

  /** Four writers and one other; gives the successes and failures that were counted. */
  private long[] race(Callable<Void> other) throws InterruptedException, ExecutionException {
    List<Future<long[]>> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writers.add(threads.submit(this::write));
    }
    Future<Void> running = threads.submit(other);
    long[] counted = new long[2];
    for (Future<long[]> writer : writers) {
      counted[0] += writer.get()[0];
      counted[1] += writer.get()[1];
    }
    running.get();
    assertThat(counted[0]).isPositive();
    assertThat(counted[1]).isPositive();
    return counted;
  }

  private long[] write() {
    long[] counted = new long[2];
    for (long now = ticker.nanoTime();
        now - endNanos < 0 || counted[1] == 0; // also where the machine is slow
        now = ticker.nanoTime()) {
      boolean failure = (counted[0] & 7) == 7 && counted[1] * 8 < counted[0];
      boolean due = failure ? metrics.isDueAfterError(now) : metrics.isDue(now);
      if (due) {
        metrics.roll(now);
      }
      if (failure) {
        metrics.count(EventType.FAILURE);
        metrics.recordExecution(MS);
        counted[1]++;
      } else {
        metrics.recordSuccess(counted[0] << 7);
        counted[0]++;
      }
      HealthSnapshot health = due ? metrics.lookAtHealth(now) : null;
      if (health != null) {
        assertThat(health.errors()).isBetween(0L, health.total());
      }
    }
    return counted;
  }

  private Void read() {
    long before = 0;
    for (long now = ticker.nanoTime(); now - endNanos < 0; now = ticker.nanoTime()) {
      long rolling = metrics.rollingCount(EventType.SUCCESS, now);
      long cumulative = metrics.cumulativeCount(EventType.SUCCESS);
      assertThat(rolling).isBetween(0L, cumulative);
      assertThat(cumulative).isGreaterThanOrEqualTo(before);
      before = cumulative;
      // the writers go on: what is read first must be the smaller
      long latencies = metrics.executionLatency(now).count();
      long ended =
          metrics.cumulativeCount(EventType.SUCCESS) + metrics.cumulativeCount(EventType.FAILURE);
      assertThat(latencies).isBetween(0L, ended);
      assertThat(metrics.rollingMaxConcurrency(now)).isEqualTo(1);
    }
    return null;
  }

  private Void reconfigure() {
    int turn = 0;
    for (long now = ticker.nanoTime(); now - endNanos < 0; now = ticker.nanoTime()) {
      turn++;
      metrics.reconfigure(settings(20 + turn % 3 * 20, 20, turn % 2 == 0), now);
      long rolling = metrics.rollingCount(EventType.SUCCESS, now);
      assertThat(rolling).isBetween(0L, metrics.cumulativeCount(EventType.SUCCESS));
    }
    return null;
  }

  private static MetricsSettings settings(int windowMillis, int buckets, boolean percentiles) {
    return new MetricsSettings(
        windowMillis * MS, buckets, percentiles, HOUR_MILLIS * MS, HOUR_MILLIS / 100, MS);
  }
}
