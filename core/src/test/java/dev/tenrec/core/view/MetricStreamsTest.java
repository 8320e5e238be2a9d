// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.MetricStreams;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecSnapshot;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.sampling.HeldTasks;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import io.reactivex.rxjava3.subscribers.TestSubscriber;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In manual time, with callbacks that run when the test says so. */
class MetricStreamsTest {

  private static final Duration HALF = MetricStreams.DEFAULT_INTERVAL;

  private final ManualTime time = new ManualTime();
  private final HeldTasks callbacks = new HeldTasks();
  private final Tenrec tenrec =
      Tenrec.builder().time(time, time).callbackExecutor(callbacks).build();
  private final Command<Integer, Integer> half =
      tenrec
          .command(
              "Half",
              (Integer n) -> {
                time.advanceMillis(20);
                if (n % 2 != 0) {
                  throw new IllegalArgumentException(n + " is odd");
                }
                return n / 2;
              })
          .isolation(Isolation.semaphore(10))
          .fallback((n, cause) -> -1)
          .build();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
    callbacks.runWhatIsThere();
    assertThat(tenrec.refusedCallbacks()).isZero();
  }

  private void beat() {
    time.advance(HALF);
    callbacks.run();
  }

  @Test
  void health_atOnceAndEveryInterval_isWhatTheViewShows() {
    assertThat(half.execute(4)).isEqualTo(2);
    TestSubscriber<HealthSnapshot> readings = half.metricStreams().health().test();
    callbacks.run();
    readings.assertValuesOnly(new HealthSnapshot(1, 0, 0));
    assertThat(half.execute(3)).isEqualTo(-1);
    beat();
    readings.assertValuesOnly(new HealthSnapshot(1, 0, 0), new HealthSnapshot(2, 1, 0));
    assertThat(readings.values().get(1)).isEqualTo(half.view().health());
    readings.cancel();
  }

  @Test
  void counts_ofEveryEvent_areWhatTheViewShows_andAgeInTheWindowOnly() {
    TestSubscriber<CountsSnapshot> readings =
        half.metricStreams().counts(Duration.ofSeconds(60)).test();
    callbacks.run();
    assertThat(half.execute(4)).isEqualTo(2);
    assertThat(half.execute(3)).isEqualTo(-1);
    CountsSnapshot now = half.view().counts();
    for (EventType event : EventType.values()) {
      assertThat(now.rolling().get(event)).isEqualTo(half.view().rollingCount(event));
      assertThat(now.cumulative().get(event)).isEqualTo(half.view().cumulativeCount(event));
    }
    time.advance(Duration.ofSeconds(60));
    callbacks.run();
    assertThat(readings.values()).hasSize(2);
    CountsSnapshot later = readings.values().get(1);
    assertThat(now.rolling()).isEqualTo(now.cumulative()).isEqualTo(later.cumulative());
    assertThat(later.rolling()).isEqualTo(readings.values().get(0).rolling());
    assertThat(later.cumulative()).hasToString("{SUCCESS=1, FAILURE=1, FALLBACK_SUCCESS=1}");
    readings.cancel();
  }

  @Test
  void latencies_ofBothKinds_areWhatTheViewShows() {
    assertThat(half.execute(4)).isEqualTo(2);
    TestSubscriber<LatencySnapshots> readings = half.metricStreams().latencies().test();
    callbacks.run();
    LatencySnapshots first = readings.values().get(0);
    assertThat(first.execution().count()).isEqualTo(1);
    assertThat(Duration.ofNanos(first.caller().maxNanos()))
        .isBetween(Duration.ofMillis(19), Duration.ofMillis(21));
    readings.cancel();
  }

  @Test
  void snapshots_haveAllCommandsPoolsAndCollapsers() {
    Command<Integer, Integer> pooled = tenrec.command("Pooled", (Integer n) -> n).build();
    Collapser<Integer, String> names =
        tenrec
            .collapser(
                "Names",
                (List<Integer> ids) ->
                    ids.stream().collect(Collectors.toMap(Function.identity(), id -> "n" + id)))
            .build();
    assertThat(pooled.execute(7)).isEqualTo(7);
    assertThat(half.execute(3)).isEqualTo(-1);
    long before = time.nanoTime();
    TestSubscriber<TenrecSnapshot> readings = tenrec.snapshots().test();
    callbacks.run();
    TenrecSnapshot all = readings.values().get(0);

    assertThat(all.atNanos()).isEqualTo(before);
    Map<String, CommandView> commands =
        all.commands().stream().collect(Collectors.toMap(CommandView::key, Function.identity()));
    assertThat(commands).containsOnlyKeys("Half", "Pooled", "Names");
    assertThat(commands.get("Half").cumulativeCount(EventType.FAILURE)).isEqualTo(1);
    assertThat(commands.get("Half").health()).isEqualTo(new HealthSnapshot(1, 1, 0));
    assertThat(commands.get("Pooled").threadPoolKey()).isEqualTo("Pooled");
    assertThat(all.pools()).anySatisfy(pool -> assertThat(pool.key()).isEqualTo("Pooled"));
    assertThat(all.collapsers())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.key()).isEqualTo("Names");
              assertThat(one.timerDelayNanos()).isEqualTo(names.view().timerDelayNanos());
            });
    assertThat(half.execute(3)).isEqualTo(-1);
    assertThat(commands.get("Half").cumulativeCount(EventType.FAILURE))
        .as("a snapshot stands still")
        .isEqualTo(1);
    readings.cancel();
  }

  @Test
  void subscribers_ofOneStream_shareItsReading_andTheLastOneEndsIt() {
    TestSubscriber<HealthSnapshot> first = half.metricStreams().health(HALF).test();
    callbacks.run();
    TestSubscriber<HealthSnapshot> second = half.metricStreams().health().test();
    callbacks.run();
    beat();
    assertThat(Inside.samplers(half.view())).isEqualTo(1);
    assertThat(second.values().get(1)).isSameAs(first.values().get(1));
    first.cancel();
    beat();
    assertThat(first.values()).hasSize(2);
    assertThat(second.values()).hasSize(3);
    second.cancel();
    assertThat(Inside.samplers(half.view())).isZero();
    assertTimerIsIdle();
  }

  @Test
  void subscribeAndCancel_overAndOver_leavesNothing() {
    tenrec.snapshots().test().cancel();
    int threads = tenrec.liveThreads();
    for (int i = 0; i < 1_000; i++) {
      half.metricStreams().counts().test().cancel();
      tenrec.snapshots().take(1).test(0).cancel();
      callbacks.runWhatIsThere();
    }
    assertThat(Inside.samplers(half.view())).isZero();
    assertThat(tenrec.liveThreads()).isEqualTo(threads);
    assertTimerIsIdle();
  }

  private void assertTimerIsIdle() {
    await()
        .untilAsserted(
            () -> {
              time.advance(HALF);
              assertThat(Inside.pendingTimeouts(Inside.runtime(half.view()))).isZero();
            });
    assertThat(callbacks.size()).isZero();
  }

  @Test
  void withoutDemand_theLatestOnlyWaits() {
    TestSubscriber<CountsSnapshot> readings = half.metricStreams().counts().test(0);
    callbacks.run();
    for (int i = 0; i < 5; i++) {
      assertThat(half.execute(4)).isEqualTo(2);
      beat();
    }
    readings.assertNoValues();
    readings.request(2);
    assertThat(readings.values())
        .singleElement()
        .satisfies(counts -> assertThat(successes(counts)).isEqualTo(5));
    beat();
    assertThat(readings.values()).hasSize(2);
    beat();
    assertThat(readings.values()).hasSize(2);
    readings.cancel();
  }

  private static long successes(CountsSnapshot counts) {
    return counts.cumulative().get(EventType.SUCCESS);
  }

  @Test
  void cancelledWhileItIsSubscribed_leavesNothing() {
    TestSubscriber<CountsSnapshot> cancelled = new TestSubscriber<>();
    cancelled.cancel();
    half.metricStreams().counts().subscribe(cancelled);
    callbacks.runWhatIsThere();
    cancelled.assertNoValues();
    assertThat(Inside.samplers(half.view())).isZero();
  }

  @Test
  void remove_completesTheStreamsOfThatCommandOnly() {
    MetricStreams streams = half.metricStreams();
    CommandView old = half.view();
    TestSubscriber<HealthSnapshot> health = streams.health().test();
    TestSubscriber<TenrecSnapshot> all = tenrec.snapshots().test();
    callbacks.run();
    assertThat(tenrec.remove("Half")).isTrue();
    callbacks.run();
    health.assertValueCount(1).assertComplete();
    Command<Integer, Integer> again = tenrec.command("Half", (Integer n) -> n).build();
    TestSubscriber<HealthSnapshot> anew = again.metricStreams().health().test();
    callbacks.run();
    time.advance(HALF);
    await()
        .until(
            () -> {
              callbacks.runWhatIsThere();
              return all.values().size() == 2 && anew.values().size() == 2;
            });
    all.assertNotComplete();
    anew.assertNotComplete();

    TestSubscriber<HealthSnapshot> late = streams.health().test();
    callbacks.run();
    late.assertNoValues().assertComplete();
    assertThat(Inside.samplers(old)).isZero();
    anew.cancel();
    all.cancel();
  }

  @Test
  void close_completesAll_andWhoeverComesLater() {
    TestSubscriber<HealthSnapshot> health = half.metricStreams().health().test();
    TestSubscriber<TenrecSnapshot> all = tenrec.snapshots().test();
    callbacks.run();
    Elsewhere.close(tenrec, time);
    TestSubscriber<TenrecSnapshot> late = tenrec.snapshots().test();
    // without the executor, which the test keeps from running anything
    health.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertValueCount(1).assertComplete();
    all.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertValueCount(1).assertComplete();
    late.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertNoValues().assertComplete();
    callbacks.runWhatIsThere();
  }

  /** Somebody has looked at the command before, so that what its streams hang on is there. */
  @Test
  void close_beforeTheFirstStream_completesThat() {
    assertThat(half.view().concurrency()).isZero();
    Elsewhere.close(tenrec, time);

    TestSubscriber<HealthSnapshot> late = half.metricStreams().health().test();

    late.awaitDone(PatientWaits.seconds(), TimeUnit.SECONDS).assertNoValues().assertComplete();
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.009999999S", "PT24H0.000000001S", "PT9999999H"})
  void interval_outsideOfWhatMayBe_isRefused(String text) {
    Duration interval = Duration.parse(text);
    assertThatThrownBy(() -> half.metricStreams().counts(interval))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "interval of a metric stream: " + interval + ", expected from PT0.01S to PT24H");
    assertThatThrownBy(() -> tenrec.snapshots(interval))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void guard_hasThemToo() {
    Guard guard = tenrec.guard("Stock").semaphore(2).build();
    assertThat(guard.call(() -> 5)).isEqualTo(5);
    TestSubscriber<CountsSnapshot> readings = guard.metricStreams().counts().test();
    callbacks.run();
    assertThat(successes(readings.values().get(0))).isEqualTo(1);
    readings.cancel();
  }
}
