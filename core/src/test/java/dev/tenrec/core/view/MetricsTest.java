// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import dev.tenrec.metrics.view.PoolView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsTest {

  private static final long MS = 1_000_000L;

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final HeldWork held = HeldWork.polite();

  @AfterEach
  void close() {
    held.letGo();
    Elsewhere.close(tenrec, time);
    await().until(() -> tenrec.liveThreads() == 0); // time went on while closing waited for them
  }

  /** Takes as many milliseconds as it is asked to; "bad" and "fail" throw. */
  private String timed(String what) {
    switch (what) {
      case "bad":
        throw new BadRequestException("bad");
      case "fail":
        throw new IllegalStateException("fail");
      default:
        time.advanceMillis(Long.parseLong(what));
        return what;
    }
  }

  private CommandBuilder<String, String> command(String key) {
    return tenrec
        .command(key, (String s) -> timed(s))
        .isolation(Isolation.semaphore(1))
        .withoutCircuitBreaker();
  }

  private static Map<EventType, Long> cumulative(CommandView view) {
    Map<EventType, Long> counts = new EnumMap<>(EventType.class);
    for (EventType event : EventType.values()) {
      if (view.cumulativeCount(event) != 0) {
        counts.put(event, view.cumulativeCount(event));
      }
    }
    return counts;
  }

  private static Map<EventType, Long> rolling(CommandView view) {
    Map<EventType, Long> counts = new EnumMap<>(EventType.class);
    for (EventType event : EventType.values()) {
      if (view.rollingCount(event) != 0) {
        counts.put(event, view.rollingCount(event));
      }
    }
    return counts;
  }

  @Test
  void view_beforeTheFirstCall_isThereWithZeros() {
    Command<String, String> command = command("C").group("G").build();
    CommandView view = tenrec.commands().get(0);
    assertThat(view.key()).isEqualTo("C");
    assertThat(view.group()).isEqualTo("G");
    assertThat(rolling(view)).isEmpty();
    assertThat(cumulative(view)).isEmpty();
    assertThat(view.health()).isEqualTo(HealthSnapshot.EMPTY);
    assertThat(view.health().errorPercentage()).isZero();
    assertThat(view.executionLatency().count()).isZero();
    assertThat(view.concurrency() + view.rollingMaxConcurrency() + view.stillBusy()).isZero();
    assertThat(command.view().key()).isEqualTo("C");
  }

  /** Those of Hystrix in its order, and Tenrec's own between them or after them. */
  @Test
  void events_areInTheirFixedOrder() {
    assertThat(EventType.values())
        .containsSubsequence(
            EventType.EMIT,
            EventType.SUCCESS,
            EventType.FAILURE,
            EventType.TIMEOUT,
            EventType.BAD_REQUEST,
            EventType.SHORT_CIRCUITED,
            EventType.THREAD_POOL_REJECTED,
            EventType.SEMAPHORE_REJECTED,
            EventType.FALLBACK_EMIT,
            EventType.FALLBACK_SUCCESS,
            EventType.FALLBACK_FAILURE,
            EventType.FALLBACK_REJECTION,
            EventType.FALLBACK_DISABLED,
            EventType.FALLBACK_MISSING,
            EventType.EXCEPTION_THROWN,
            EventType.RESPONSE_FROM_CACHE,
            EventType.CANCELLED,
            EventType.COLLAPSED)
        .containsExactly(
            EventType.EMIT,
            EventType.SUCCESS,
            EventType.FAILURE,
            EventType.TIMEOUT,
            EventType.DEADLINE_EXCEEDED,
            EventType.BAD_REQUEST,
            EventType.SHORT_CIRCUITED,
            EventType.THREAD_POOL_REJECTED,
            EventType.SEMAPHORE_REJECTED,
            EventType.RATE_LIMITED,
            EventType.FALLBACK_EMIT,
            EventType.FALLBACK_SUCCESS,
            EventType.FALLBACK_FAILURE,
            EventType.FALLBACK_REJECTION,
            EventType.FALLBACK_DISABLED,
            EventType.FALLBACK_MISSING,
            EventType.EXCEPTION_THROWN,
            EventType.RESPONSE_FROM_CACHE,
            EventType.CANCELLED,
            EventType.COLLAPSED,
            EventType.RETRY,
            EventType.RETRY_BUDGET_EXHAUSTED,
            EventType.HEDGE,
            EventType.HEDGE_REFUSED,
            EventType.ATTEMPT_OUTRUN);
  }

  @Test
  void everyEvent_isCountedOnceAndAtOnce() {
    Set<EventType> seen = EnumSet.noneOf(EventType.class);
    Command<String, String> plain = command("Plain").build();
    assertThat(plain.attempt("0").has(EventType.SUCCESS)).isTrue();
    assertThat(plain.attempt("fail").isAnswered()).isFalse();
    assertThat(plain.attempt("bad").isAnswered()).isFalse();
    assertThat(plain.attempt("1000").isAnswered()).isFalse();
    assertThat(cumulative(plain.view()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                EventType.SUCCESS, 1L,
                EventType.FAILURE, 1L,
                EventType.TIMEOUT, 1L,
                EventType.BAD_REQUEST, 1L,
                EventType.FALLBACK_MISSING, 2L,
                EventType.EXCEPTION_THROWN, 3L));
    assertThat(rolling(plain.view()))
        .as("no bucket has to end first")
        .isEqualTo(cumulative(plain.view()));
    seen.addAll(cumulative(plain.view()).keySet());

    Command<String, String> saved = command("Saved").fallback((s, cause) -> "saved").build();
    assertThat(saved.execute("fail")).isEqualTo("saved");
    tenrec.set("tenrec.command.Saved.fallback.enabled", "false");
    assertThat(saved.attempt("fail").isAnswered()).isFalse();
    tenrec.clear("tenrec.command.Saved.fallback.enabled");
    tenrec.set("tenrec.command.Saved.fallback.isolation.semaphore.maxConcurrentRequests", "0");
    assertThat(saved.attempt("fail").isAnswered()).isFalse();
    tenrec.set("tenrec.command.Saved.circuitBreaker.enabled", "true");
    tenrec.set("tenrec.command.Saved.circuitBreaker.forceOpen", "true");
    assertThat(saved.attempt("0").isAnswered()).isFalse();
    assertThat(cumulative(saved.view()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                EventType.FAILURE, 3L,
                EventType.SHORT_CIRCUITED, 1L,
                EventType.FALLBACK_SUCCESS, 1L,
                EventType.FALLBACK_DISABLED, 1L,
                EventType.FALLBACK_REJECTION, 2L,
                EventType.EXCEPTION_THROWN, 3L));
    seen.addAll(cumulative(saved.view()).keySet());

    Command<String, String> limited =
        command("Limited").rateLimit(1, Duration.ofDays(1), 1).build();
    assertThat(limited.attempt("0").isAnswered()).isTrue();
    assertThat(limited.attempt("0").isAnswered()).isFalse();
    assertThat(cumulative(limited.view()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                EventType.SUCCESS, 1L,
                EventType.RATE_LIMITED, 1L,
                EventType.FALLBACK_MISSING, 1L,
                EventType.EXCEPTION_THROWN, 1L));
    seen.addAll(cumulative(limited.view()).keySet());

    Command<String, String> worse =
        command("Worse")
            .fallback(
                (s, cause) -> {
                  throw new IllegalStateException("worse");
                })
            .build();
    assertThat(worse.attempt("fail").isAnswered()).isFalse();
    assertThat(cumulative(worse.view()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                EventType.FAILURE,
                1L,
                EventType.FALLBACK_FAILURE,
                1L,
                EventType.EXCEPTION_THROWN,
                1L));
    seen.addAll(cumulative(worse.view()).keySet());

    Command<String, String> pooled =
        tenrec
            .command("Pooled", held)
            .isolation(Isolation.threadPool().coreSize(1))
            .withoutTimeout()
            .build();
    CompletableFuture<String> inside = pooled.executeAsync("x");
    held.awaitRunning(1);
    assertThat(pooled.attempt("y").isAnswered()).isFalse();
    assertThat(inside.cancel(false)).isTrue();
    assertThat(cumulative(pooled.view()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                EventType.THREAD_POOL_REJECTED, 1L,
                EventType.FALLBACK_MISSING, 1L,
                EventType.EXCEPTION_THROWN, 1L,
                EventType.CANCELLED, 1L));
    assertThat(pooled.view().health())
        .as("a cancellation says nothing")
        .isEqualTo(new HealthSnapshot(1, 1, 0, 1));
    seen.addAll(cumulative(pooled.view()).keySet());

    Command<String, String> full =
        tenrec
            .command("Full", (String s) -> s)
            .isolation(Isolation.semaphore(0))
            .fallback((s, cause) -> s)
            .build();
    assertThat(full.execute("x")).isEqualTo("x");
    assertThat(cumulative(full.view()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(EventType.SEMAPHORE_REJECTED, 1L, EventType.FALLBACK_SUCCESS, 1L));
    seen.addAll(cumulative(full.view()).keySet());

    assertThat(EnumSet.complementOf(EnumSet.copyOf(seen)))
        .as("these need streams, a deadline, the request scope, the collapser, a retry and a hedge")
        .containsExactly(
            EventType.EMIT,
            EventType.DEADLINE_EXCEEDED,
            EventType.FALLBACK_EMIT,
            EventType.RESPONSE_FROM_CACHE,
            EventType.COLLAPSED,
            EventType.RETRY,
            EventType.RETRY_BUDGET_EXHAUSTED,
            EventType.HEDGE,
            EventType.HEDGE_REFUSED,
            EventType.ATTEMPT_OUTRUN);
  }

  @Test
  void counts_afterTheWindow_haveAgedWhileTheCumulativeStay() {
    Command<String, String> command = command("C").build();
    assertThat(command.execute("0")).isEqualTo("0");
    time.advanceMillis(5_000);
    assertThat(command.execute("0")).isEqualTo("0");
    assertThat(command.view().rollingCount(EventType.SUCCESS)).isEqualTo(2);
    time.advanceMillis(6_000);
    assertThat(command.view().rollingCount(EventType.SUCCESS)).isOne();
    assertThat(command.view().health().total()).isOne();
    time.advanceMillis(6_000);
    assertThat(command.view().rollingCount(EventType.SUCCESS)).isZero();
    assertThat(command.view().health()).isEqualTo(HealthSnapshot.EMPTY);
    time.advance(Duration.ofDays(30));
    assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(2);
  }

  @Test
  void cacheHits_longAfterTheRunTheyShare_countWhenTheyHappen() {
    Command<String, String> command = command("C").cacheKey(s -> s).build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute("0")).isEqualTo("0");
      time.advanceMillis(30_000);
      assertThat(command.execute("0")).isEqualTo("0");
      time.advanceMillis(1_000);
    }
    assertThat(rolling(command.view())).containsOnly(Map.entry(EventType.RESPONSE_FROM_CACHE, 1L));
  }

  @Test
  void fallback_whileItRuns_itsCauseIsCountedAndNothingElse() {
    List<Map<EventType, Long>> counted = new ArrayList<>();
    List<HealthSnapshot> health = new ArrayList<>();
    AtomicReference<CommandView> view = new AtomicReference<>();
    Command<String, String> command =
        command("C")
            .fallback(
                (s, cause) -> {
                  counted.add(cumulative(view.get()));
                  health.add(view.get().health());
                  return s;
                })
            .build();
    view.set(command.view());

    assertThat(command.execute("fail")).isEqualTo("fail"); // in locals
    assertThat(command.attempt("fail").isAnswered()).isTrue(); // as an execution

    assertThat(counted)
        .containsExactly(
            Map.of(EventType.FAILURE, 1L),
            Map.of(EventType.FAILURE, 2L, EventType.FALLBACK_SUCCESS, 1L));
    assertThat(health).containsExactly(new HealthSnapshot(1, 1, 0), new HealthSnapshot(2, 2, 0));
    assertThat(cumulative(command.view()))
        .isEqualTo(Map.of(EventType.FAILURE, 2L, EventType.FALLBACK_SUCCESS, 2L));
  }

  @Test
  void fallback_thatOutlastsTheWindow_countsWhenItEnds() {
    Command<String, String> command =
        command("C")
            .fallback(
                (s, cause) -> {
                  time.advanceMillis(15_000);
                  return timed("fail");
                })
            .build();
    assertThatThrownBy(() -> command.execute("fail")).hasMessage("fail"); // in locals
    time.advanceMillis(1_000);
    assertThat(rolling(command.view()))
        .containsOnly(
            Map.entry(EventType.FALLBACK_FAILURE, 1L), Map.entry(EventType.EXCEPTION_THROWN, 1L));

    assertThat(command.attempt("fail").isAnswered()).isFalse(); // as an execution
    time.advanceMillis(1_000);
    assertThat(rolling(command.view()))
        .containsOnly(
            Map.entry(EventType.FALLBACK_FAILURE, 1L), Map.entry(EventType.EXCEPTION_THROWN, 1L));
  }

  @Test
  void fallback_thatOutlastsTheWindowAndAnswers_countsWhenItDoes() {
    Command<String, String> command =
        command("C")
            .fallback(
                (s, cause) -> {
                  time.advanceMillis(15_000);
                  return s;
                })
            .build();
    assertThat(command.execute("fail")).isEqualTo("fail");
    time.advanceMillis(1_000);
    assertThat(rolling(command.view())).containsOnly(Map.entry(EventType.FALLBACK_SUCCESS, 1L));

    assertThat(command.attempt("fail").isAnswered()).isTrue();
    time.advanceMillis(1_000);
    assertThat(rolling(command.view())).containsOnly(Map.entry(EventType.FALLBACK_SUCCESS, 1L));
  }

  @Test
  void errorPercentage_goesWithTheCalls() {
    Command<String, String> command = command("C").build();
    assertThat(command.execute("0")).isEqualTo("0");
    assertThat(command.view().health().errorPercentage()).isZero();
    assertThat(command.attempt("fail").isAnswered()).isFalse();
    assertThat(command.view().health().errorPercentage()).isEqualTo(50);
    assertThat(command.execute("0")).isEqualTo("0");
    assertThat(command.execute("0")).isEqualTo("0");
    assertThat(command.view().health().errorPercentage()).isEqualTo(25);
    assertThat(command.attempt("bad").isAnswered()).isFalse();
    assertThat(command.view().health().errorPercentage())
        .as("a bad request says nothing")
        .isEqualTo(25);
    assertThat(command.attempt("1000").isAnswered()).isFalse();
    assertThat(command.attempt("1000").isAnswered()).isFalse();
    assertThat(command.view().health()).isEqualTo(new HealthSnapshot(6, 3, 0));
    assertThat(command.view().health().errorPercentage()).isEqualTo(50);
  }

  @Test
  void latencies_executionEndsWithTheWork_callerWithTheFallback() {
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "C",
                (String s) -> {
                  time.advanceMillis(100);
                  throw new IllegalStateException(s);
                })
            .isolation(Isolation.semaphore(1))
            .withoutCircuitBreaker()
            .fallback(
                (s, cause) -> {
                  time.advanceMillis(300);
                  return s;
                })
            .build();
    assertThat(command.execute("x")).isEqualTo("x");
    CommandView view = command.view();
    assertThat(view.executionLatency().count()).isOne();
    assertThat((double) view.executionLatency().maxNanos())
        .isCloseTo(100 * MS, withinPercentage(1.6));
    assertThat((double) view.callerLatency().maxNanos()).isCloseTo(400 * MS, withinPercentage(1.6));
    assertThat(command.attempt("x").executionLatency()).isEqualTo(Duration.ofMillis(100));
    assertThat(command.attempt("x").callerLatency()).isEqualTo(Duration.ofMillis(400));
  }

  @Test
  void latencies_ofCallsThatNeverBegan_areNotRecorded() {
    Command<String, String> command = command("C").build();
    tenrec.set("tenrec.command.C.execution.isolation.semaphore.maxConcurrentRequests", "0");
    assertThat(command.attempt("0").executionLatency()).isNull();
    tenrec.set("tenrec.command.C.circuitBreaker.enabled", "true");
    tenrec.set("tenrec.command.C.circuitBreaker.forceOpen", "true");
    assertThat(command.attempt("0").executionLatency()).isNull();
    assertThat(command.view().executionLatency().count()).isZero();
    assertThat(command.view().callerLatency().count()).isZero();
  }

  @Test
  void latency_onAPool_beginsWithTheWork() {
    Command<String, String> command =
        tenrec
            .command("C", held)
            .isolation(Isolation.threadPool().coreSize(1).queueSize(1))
            .withoutTimeout()
            .build();
    CompletableFuture<String> first = command.executeAsync("1");
    held.awaitRunning(1);
    CompletableFuture<String> second = command.executeAsync("2");
    time.advanceMillis(200);
    held.letGo();
    assertThat(first.join() + second.join()).isEqualTo("12");
    assertThat(command.view().executionLatency().count()).isEqualTo(2);
    assertThat(command.view().executionLatency().minNanos())
        .as("the second one only waited")
        .isLessThan(MS);
    assertThat((double) command.view().callerLatency().minNanos())
        .isCloseTo(200 * MS, withinPercentage(1.6));
  }

  @Test
  void percentiles_anyIsAnswered_andAgeWithTheirOwnWindow() {
    Command<String, String> command = command("C").withoutTimeout().build();
    for (int millis = 1; millis <= 100; millis++) {
      assertThat(command.execute("" + millis)).isEqualTo("" + millis);
    }
    assertThat(command.attempt("fail").isAnswered()).isFalse();
    assertThat(command.view().executionLatency().count()).isEqualTo(101);
    for (double percentile : new double[] {5, 33.3, 50, 90, 99}) {
      assertThat((double) command.view().executionLatency().valueAtPercentile(percentile))
          .isCloseTo((Math.ceil(percentile * 1.01) - 1) * MS, withinPercentage(1.6));
      assertThat((double) command.view().callerLatency().valueAtPercentile(percentile))
          .isCloseTo((Math.ceil(percentile * 1.01) - 1) * MS, withinPercentage(1.6));
    }
    assertThat(command.view().executionLatency().meanNanos())
        .isCloseTo(50 * MS, withinPercentage(1.6));
    assertThatThrownBy(() -> command.view().executionLatency().valueAtPercentile(100.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("100.1");
    time.advanceMillis(30_000);
    assertThat(command.view().executionLatency().count()).isEqualTo(101);
    time.advanceMillis(45_000);
    assertThat(command.view().executionLatency().count()).isZero();
  }

  @Test
  void maxConcurrency_overTheWindow_leavesRefusedCallsOut() {
    Command<String, String> command =
        tenrec
            .command("C", held)
            .isolation(Isolation.threadPool().coreSize(3))
            .withoutTimeout()
            .build();
    CompletableFuture<String> first = command.executeAsync("1");
    CompletableFuture<String> second = command.executeAsync("2");
    CompletableFuture<String> third = command.executeAsync("3");
    held.awaitRunning(3);
    assertThat(command.attempt("refused").isAnswered()).isFalse();
    assertThat(command.view().concurrency()).isEqualTo(3);
    assertThat(command.view().rollingMaxConcurrency()).isEqualTo(3);
    time.advanceMillis(30_000);
    assertThat(command.view().rollingMaxConcurrency()).as("they are still inside").isEqualTo(3);
    held.letGo();
    assertThat(first.join() + second.join() + third.join()).isEqualTo("123");
    await().until(() -> command.view().concurrency() == 0);
    time.advanceMillis(5_000);
    assertThat(command.view().rollingMaxConcurrency())
        .as("their last bucket is in the window")
        .isEqualTo(3);
    time.advanceMillis(7_000);
    assertThat(command.view().rollingMaxConcurrency()).isZero();
    time.advanceMillis(12_000);
    assertThat(command.view().rollingMaxConcurrency()).isZero();
  }

  @Test
  void maxConcurrency_ofQueuedCalls_hasThemInIt() {
    Command<String, String> command =
        tenrec
            .command("C", held)
            .isolation(Isolation.threadPool().coreSize(1).queueSize(2))
            .withoutTimeout()
            .build();
    CompletableFuture<String> first = command.executeAsync("1");
    held.awaitRunning(1);
    CompletableFuture<String> second = command.executeAsync("2");
    CompletableFuture<String> third = command.executeAsync("3");
    assertThat(command.attempt("refused").isAnswered()).isFalse();

    assertThat(held.began()).as("the others wait").containsExactly("1");
    assertThat(command.view().concurrency()).isEqualTo(3);
    assertThat(command.view().rollingMaxConcurrency()).isEqualTo(3);

    held.letGo();
    assertThat(first).succeedsWithin(PatientWaits.patience());
    assertThat(second).succeedsWithin(PatientWaits.patience());
    assertThat(third).succeedsWithin(PatientWaits.patience());
    await().until(() -> command.view().concurrency() == 0);
  }

  @Test
  void pool_itsGaugesAndCounts() {
    Command<String, String> command =
        tenrec
            .command("C", held)
            .isolation(
                Isolation.threadPool()
                    .coreSize(1)
                    .queueSize(2)
                    .maximumSize(2)
                    .rejectionThreshold(1))
            .withoutTimeout()
            .build();
    PoolView pool = tenrec.pools().get(0);
    assertThat(pool.key()).isEqualTo("C");
    assertThat(pool.active() + pool.threads() + pool.queued() + pool.largestThreads()).isZero();
    assertThat(pool.coreSize()).isOne();
    assertThat(pool.maximumSize()).isEqualTo(2);
    assertThat(pool.queueCapacity()).isOne();
    CompletableFuture<String> first = command.executeAsync("1");
    held.awaitRunning(1);
    assertThat(pool.cumulativeExecuted()).as("shown while its first task is busy").isOne();
    assertThat(pool.cumulativeCompleted()).isZero();
    CompletableFuture<String> second = command.executeAsync("2");
    assertThat(pool.queued()).isOne();
    CompletableFuture<String> third = command.executeAsync("3");
    held.awaitRunning(2);
    assertThat(command.attempt("refused").isAnswered()).isFalse();
    assertThat(pool.active()).isEqualTo(2);
    assertThat(pool.threads()).isEqualTo(2);
    assertThat(pool.rollingMaxActive()).isEqualTo(2);
    assertThat(pool.rollingRejected()).isOne();
    assertThat(pool.cumulativeRejected()).isOne();
    held.letGo();
    assertThat(first.join() + second.join() + third.join()).isEqualTo("123");
    await().until(() -> pool.cumulativeCompleted() == 3);
    await().until(() -> pool.active() == 0);
    assertThat(pool.rollingExecuted()).isEqualTo(3);
    assertThat(pool.largestThreads()).isEqualTo(2);
    assertThat(pool.queued()).isZero();
    time.advanceMillis(12_000);
    assertThat(pool.rollingExecuted() + pool.rollingRejected()).isZero();
    assertThat(pool.cumulativeExecuted()).isEqualTo(3);
    assertThat(pool.cumulativeRejected()).isOne();
  }

  @Test
  void pool_whoseMetricsAreReset_beginsItsWindowAnewAndKeepsItsTotals() {
    Command<String, String> command = tenrec.command("P", (String s) -> s).build();
    assertThat(command.execute("x")).isEqualTo("x");
    PoolView pool = tenrec.pools().get(0);
    await().until(() -> pool.active() == 0);
    assertThat(pool.rollingExecuted()).isOne();
    assertThat(pool.rollingMaxActive()).isOne();
    tenrec.resetMetrics();
    assertThat(pool.rollingExecuted()).isZero();
    assertThat(pool.rollingMaxActive()).isZero();
    assertThat(pool.cumulativeExecuted()).isOne();
    assertThat(command.execute("y")).isEqualTo("y");
    assertThat(pool.rollingExecuted()).isOne();
  }

  @Test
  void pool_countsNothingOfSemaphoreCommandsAndShortCircuits() {
    Command<String, String> pooled = tenrec.command("P", (String s) -> s).group("G").build();
    Command<String, String> inline = command("S").group("G").build();
    assertThat(inline.execute("0")).isEqualTo("0");
    tenrec.set("tenrec.command.P.circuitBreaker.forceOpen", "true");
    assertThat(pooled.attempt("x").isAnswered()).isFalse();
    assertThat(tenrec.pools().get(0).cumulativeExecuted()).isZero();
    assertThat(tenrec.pools().get(0).cumulativeRejected()).isZero();
  }
}
