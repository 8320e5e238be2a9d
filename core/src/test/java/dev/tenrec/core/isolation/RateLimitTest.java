// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Guard;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StreamCommand;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.view.InventoryListener;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.core.view.RateLimiterDetails;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import io.reactivex.rxjava3.core.Flowable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A rate of calls: refused at once, to the nanosecond, neutral to all else. */
class RateLimitTest {

  private static final Duration TEN_MS = Duration.ofMillis(10);

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();

  @AfterEach
  void close() {
    tenrec.close();
    assertThat(tenrec.liveThreads()).isZero();
  }

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  /** On its caller's thread; one permit each ten milliseconds. */
  private CommandBuilder<String, String> command(String key, int burst) {
    return tenrec
        .command(key, (String argument) -> argument)
        .isolation(Isolation.semaphore(5))
        .rateLimit(1, TEN_MS, burst);
  }

  private static int admitted(Command<String, String> command, @Nullable String argument) {
    int admitted = 0;
    while (command.attempt(argument).isSuccess()) {
      admitted++;
    }
    return admitted;
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void beyondTheRate_isRefused_untilTheNextPermit_toTheNanosecond(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.command(argument -> argument).rateLimit(1, TEN_MS, 2).build();
      assertThat(scenario.call(command, "1").value()).isEqualTo("1");
      assertThat(scenario.call(command, "2").value()).isEqualTo("2");
      scenario.time.advance(Duration.ofNanos(3));

      Answer refused = scenario.call(command, "3");

      assertThat(refused.error())
          .isInstanceOfSatisfying(
              CommandRejectedException.class,
              rejected -> {
                assertThat(rejected.reason()).isEqualTo(Reason.RATE_LIMITER);
                assertThat(rejected.untilNextPermit()).isEqualTo(TEN_MS.minusNanos(3));
                assertThat(rejected.bulkhead()).isEqualTo("Subject");
                assertThat(rejected.limit()).isOne();
                assertThat(rejected.inUse()).isZero();
                assertThat(rejected.getStackTrace()).isEmpty();
              })
          .hasMessage(
              "Subject was rejected: its rate limiter Subject has no permit left (1 in each"
                  + " period), the next one comes in PT0.009999997S");
      assertThat(command.view().cumulativeCount(EventType.RATE_LIMITED)).isOne();
      assertThat(command.view().executionLatency().count()).isEqualTo(2);
      assertThat(command.view().callerLatency().count()).isEqualTo(2);
      assertThat(command.view().snapshot().health().total())
          .as("it says nothing of the dependency")
          .isEqualTo(2);

      scenario.time.advance(TEN_MS.minusNanos(4));
      assertThat(scenario.call(command, "4").error())
          .as("a nanosecond early")
          .isInstanceOf(CommandRejectedException.class);
      scenario.time.advance(Duration.ofNanos(1));
      assertThat(scenario.call(command, "5").value()).isEqualTo("5");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void refused_goesToTheFallback(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      List<Throwable> causes = new ArrayList<>();
      Command<String, String> command =
          scenario
              .command(argument -> argument)
              .rateLimit(1, TEN_MS, 1)
              .fallback(
                  (argument, cause) -> {
                    causes.add(cause);
                    return "instead";
                  })
              .build();
      assertThat(scenario.call(command, "1").value()).isEqualTo("1");

      assertThat(scenario.call(command, "2").value()).isEqualTo("instead");

      assertThat(causes).singleElement().isInstanceOf(CommandRejectedException.class);
      Scenario.assertCounted(
          command, EventType.SUCCESS, EventType.RATE_LIMITED, EventType.FALLBACK_SUCCESS);
    }
  }

  @Test
  void refusals_howeverMany_openNoCircuit() {
    Command<String, String> command = command("C", 1).errorThreshold(1, 1).build();
    assertThat(command.execute("x")).isEqualTo("x");

    for (int i = 0; i < 100; i++) {
      assertThat(command.attempt("x").has(EventType.RATE_LIMITED)).isTrue();
    }
    time.advance(Duration.ofSeconds(1));
    assertThat(command.execute("x")).isEqualTo("x");

    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
    assertThat(command.view().snapshot().health().errors()).isZero();
  }

  @Test
  void trial_thatTheRateRefuses_handsItsPlaceBack() {
    boolean[] well = {false};
    Command<String, String> command =
        tenrec
            .command(
                "C",
                (String argument) -> {
                  if (!well[0]) {
                    throw new IllegalStateException("down");
                  }
                  return argument;
                })
            .isolation(Isolation.semaphore(5))
            .errorThreshold(1, 1)
            .sleepWindow(Duration.ofMillis(1))
            .rateLimit(1, Duration.ofSeconds(60), 2)
            .property("metrics.healthSnapshot.intervalInMilliseconds", "1")
            .build();
    while (command.view().circuitState() == CircuitState.CLOSED) {
      assertThat(command.attempt("x").isSuccess()).isFalse();
      time.advanceMillis(1);
      tenrec.set("tenrec.command.C.rateLimiter.enabled", "false");
    }
    tenrec.set("tenrec.command.C.rateLimiter.enabled", "true");
    well[0] = true;
    time.advanceMillis(5);
    tenrec.set("tenrec.command.C.rateLimiter.burst", "1"); // none is left

    for (int i = 0; i < 3; i++) {
      Outcome<String> refused = command.attempt("x");
      assertThat(refused.has(EventType.RATE_LIMITED)).as("not of an open circuit").isTrue();
      time.advanceMillis(1);
    }
    tenrec.set("tenrec.command.C.rateLimiter.enabled", "false");

    assertThat(command.execute("x")).as("the trial's place is free").isEqualTo("x");
    assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
  }

  @Test
  void shortCircuited_spendsNoPermit() {
    Command<String, String> command = command("C", 1).build();
    tenrec.set("tenrec.command.C.circuitBreaker.forceOpen", "true");
    for (int i = 0; i < 10; i++) {
      assertThat(command.attempt("x").has(EventType.SHORT_CIRCUITED)).isTrue();
    }
    tenrec.set("tenrec.command.C.circuitBreaker.forceOpen", "false");

    assertThat(command.execute("x")).isEqualTo("x");
  }

  @Test
  void rejectedByTheBulkhead_hasSpentItsPermit() {
    Command<String, String> command = command("C", 2).isolation(Isolation.semaphore(0)).build();

    assertThat(command.attempt("x").has(EventType.SEMAPHORE_REJECTED)).isTrue();
    assertThat(command.attempt("x").has(EventType.SEMAPHORE_REJECTED)).isTrue();
    assertThat(command.attempt("x").has(EventType.RATE_LIMITED)).isTrue();
  }

  @Test
  void closed_isTheReasonACallGets_notTheRate() {
    Command<String, String> command = command("C", 1).build();
    assertThat(command.execute("x")).isEqualTo("x");
    assertThat(tenrec.remove("C")).isTrue();

    assertThat(command.attempt("x").cause())
        .isInstanceOfSatisfying(
            CommandRejectedException.class,
            rejected -> {
              assertThat(rejected.reason()).isEqualTo(Reason.CLOSED);
              assertThat(rejected.untilNextPermit()).isNull();
            });
  }

  @Test
  void burst_unset_isAPeriodsPermits() {
    Command<String, String> command =
        tenrec
            .command("C", (String argument) -> argument)
            .isolation(Isolation.semaphore(5))
            .rateLimit(RateLimit.of(7, Duration.ofSeconds(7)))
            .build();

    assertThat(admitted(command, "x")).isEqualTo(7);
    time.advance(Duration.ofSeconds(2));
    assertThat(admitted(command, "x")).as("evenly, one each second").isEqualTo(2);
  }

  // Live.

  @Test
  void everyProperty_changedLive_countsForTheNextCall() {
    Command<String, String> command =
        tenrec
            .command("C", (String argument) -> argument)
            .isolation(Isolation.semaphore(5))
            .build();
    for (int i = 0; i < 200; i++) {
      assertThat(command.execute("x")).as("off by default").isEqualTo("x");
    }

    tenrec.set("tenrec.command.C.rateLimiter.enabled", "true");
    assertThat(admitted(command, "x")).as("the default").isEqualTo(100);
    assertThat(tenrec.<Integer>setting(CommandProperties.RATE_LIMITER_PERMITS, "C")).isEqualTo(100);

    tenrec.set("tenrec.command.C.rateLimiter.burst", "103");
    assertThat(admitted(command, "x")).isEqualTo(3);

    tenrec.set(
        Map.of(
            "tenrec.command.C.rateLimiter.permits", "1",
            "tenrec.command.C.rateLimiter.periodInMilliseconds", "4ms"));
    time.advanceMillis(12);
    assertThat(admitted(command, "x")).as("one each four milliseconds").isEqualTo(3);

    tenrec.set("tenrec.command.C.rateLimiter.burst", "2");
    time.advance(Duration.ofSeconds(1));
    assertThat(admitted(command, "x")).isEqualTo(2);

    tenrec.set("tenrec.command.C.rateLimiter.enabled", "false");
    assertThat(command.execute("x")).isEqualTo("x");
    tenrec.set("tenrec.command.C.rateLimiter.enabled", "true");
    assertThat(admitted(command, "x")).as("what is spent stays spent").isZero();
  }

  @Test
  void globalProperties_limitEveryCommandByItself() {
    Command<String, String> one = command("One", 3).build();
    Command<String, String> other =
        tenrec
            .command("Other", (String argument) -> argument)
            .isolation(Isolation.semaphore(5))
            .build();
    tenrec.set("tenrec.command.default.rateLimiter.enabled", "true");
    tenrec.set("tenrec.command.default.rateLimiter.burst", "2");

    assertThat(admitted(one, "x")).as("code wins").isEqualTo(3);
    assertThat(admitted(other, "x")).isEqualTo(2);
  }

  // Shared.

  private Command<String, String> sharing(String key, int burst) {
    return tenrec
        .command(key, (String argument) -> argument)
        .isolation(Isolation.semaphore(5))
        .rateLimit(RateLimit.of(1, TEN_MS).burst(burst).shared("Bank"))
        .build();
  }

  @Test
  void shared_isOneRateForAllOfThem() {
    Command<String, String> pay = sharing("Pay", 4);
    Command<String, String> refund = sharing("Refund", 4);
    Guard guard =
        tenrec
            .guard("G")
            .semaphore(5)
            .rateLimit(RateLimit.of(1, TEN_MS).burst(4).shared("Bank"))
            .build();
    assertThat(pay.execute("x") + refund.execute("y")).isEqualTo("xy");
    assertThat(guard.<String>call(() -> "z")).isEqualTo("z");
    assertThat(admitted(refund, "x")).isOne();

    assertThat(pay.attempt("x").cause())
        .hasMessageContainingAll("Pay was rejected", "rate limiter Bank");
    assertThat(guard.attempt(() -> "x").events()).contains(EventType.RATE_LIMITED);
    assertThat(tenrec.rateLimiters())
        .singleElement()
        .satisfies(
            bank -> {
              assertThat(bank.name()).isEqualTo("Bank");
              assertThat(bank.available()).isZero();
              assertThat(bank.keys()).isZero();
              assertThat(bank.settings()).hasSize(4);
            });
    assertThat(tenrec.explain("Pay"))
        .contains(
            "Came too fast for the rate limiter: 1; in force is what rate limiter Bank allows");
  }

  @Test
  void shared_saysHowManyMayBegin_andHowManyKeysThereAre() {
    Command<String, String> command =
        tenrec
            .command("Pay", (String argument) -> argument)
            .isolation(Isolation.semaphore(5))
            .rateLimit(RateLimit.of(1, TEN_MS).burst(4).shared("Bank"))
            .rateLimitKey(argument -> argument.isEmpty() ? null : argument)
            .build();
    RateLimiterDetails bank = tenrec.rateLimiters().get(0);
    assertThat(bank.available()).isEqualTo(4);

    assertThat(command.execute("anna")).isEqualTo("anna");
    assertThat(command.execute("bert")).isEqualTo("bert");

    assertThat(bank.keys()).isEqualTo(2);
    assertThat(bank.available()).as("of those without a key").isEqualTo(4);
    assertThat(sharing("Refund", 4).execute("x")).isEqualTo("x");
    assertThat(bank.available()).isEqualTo(3);
  }

  @Test
  void shared_changedLive_countsForAll_andTheCommandsOwnNumbersDoNot() {
    Command<String, String> pay = sharing("Pay", 1);
    Command<String, String> refund = sharing("Refund", 1);
    assertThat(admitted(pay, "x")).isOne();

    tenrec.set("tenrec.ratelimiter.Bank.burst", "3");
    String mine = "tenrec.command.Pay.rateLimiter.";
    tenrec.set(
        Map.of(
            mine + "permits", "1000",
            mine + "periodInMilliseconds", "1",
            mine + "burst", "50",
            mine + "maxKeys", "1"));

    assertThat(admitted(pay, "x") + admitted(refund, "x")).isEqualTo(2);
    time.advance(TEN_MS);
    assertThat(admitted(pay, "x") + admitted(refund, "x")).isOne();
    tenrec.set("tenrec.command.Pay.rateLimiter.enabled", "false");
    assertThat(pay.execute("x")).as("it goes by none").isEqualTo("x");
    assertThat(admitted(refund, "x")).isZero();
  }

  @Test
  void shared_withOtherSettings_isAnErrorThatSaysBoth() {
    assertThat(sharing("Pay", 1).key()).isEqualTo("Pay");

    assertThatThrownBy(() -> sharing("Refund", 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(
            "rate limiter Bank was built before with other settings", "burst=1", "burst=2");
    assertThatThrownBy(() -> command("Pay", 1).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("rate limiter");
    assertThat(tenrec.commands()).hasSize(1);
  }

  @Test
  void shared_lastUserRemoved_takesTheLimiterWithIt() {
    assertThat(sharing("Pay", 1).key()).isEqualTo("Pay");
    assertThat(sharing("Refund", 1).key()).isEqualTo("Refund");
    List<String> news = new ArrayList<>();
    tenrec.follow(
        new InventoryListener() {
          @Override
          public void onRateLimiterAdded(RateLimiterDetails limiter) {
            news.add("+" + limiter.name());
          }

          @Override
          public void onRateLimiterRemoved(RateLimiterDetails limiter) {
            news.add("-" + limiter.name());
          }
        });

    assertThat(tenrec.remove("Pay")).isTrue();
    assertThat(tenrec.rateLimiters()).hasSize(1);
    assertThat(tenrec.remove("Refund")).isTrue();

    assertThat(tenrec.rateLimiters()).isEmpty();
    assertThat(news).containsExactly("+Bank", "-Bank");
    assertThat(admitted(sharing("Pay", 5), "x")).isEqualTo(5);
  }

  // By key.

  @Test
  void byKey_everyTenantHasARateOfItsOwn() {
    Command<String, String> command =
        command("C", 2).rateLimitKey(argument -> argument.charAt(0)).build();

    assertThat(admitted(command, "anna")).isEqualTo(2);
    assertThat(admitted(command, "albert")).as("the same tenant").isZero();
    assertThat(admitted(command, "bert")).isEqualTo(2);
    CompletableFuture<String> refused = command.executeAsync("anna");
    assertThat(refused).isCompletedExceptionally();
    time.advance(TEN_MS);
    assertThat(admitted(command, "anna")).isOne();
  }

  @Test
  void byKey_ofNull_isAKeyAsAnyOther() {
    Command<String, String> command = command("C", 1).rateLimitKey(argument -> null).build();

    assertThat(admitted(command, "anna")).isOne();
    assertThat(admitted(command, "bert")).isZero();
  }

  @Test
  void byKey_moreThanTheBound_shareOne_live() {
    Command<String, String> command =
        command("C", 1)
            .rateLimitKey(argument -> argument)
            .property("rateLimiter.maxKeys", "2")
            .build();
    assertThat(admitted(command, "a") + admitted(command, "b")).isEqualTo(2);
    int strangers = 0;
    for (int i = 0; i < 50; i++) {
      strangers += admitted(command, "stranger" + i);
    }
    assertThat(strangers).isOne();

    tenrec.set("tenrec.command.C.rateLimiter.maxKeys", "3");

    assertThat(admitted(command, "c")).isOne();
    assertThat(admitted(command, "d")).isZero();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void byKey_whatTheKeyThrows_isABadRequest(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      IllegalStateException mine = new IllegalStateException("no tenant");
      Command<String, String> command =
          scenario
              .command(argument -> argument)
              .rateLimit(1, TEN_MS, 1)
              .rateLimitKey(
                  argument -> {
                    if (argument.isEmpty()) {
                      throw mine;
                    }
                    return argument;
                  })
              .fallback((argument, cause) -> "hidden")
              .build();

      assertThat(scenario.call(command, "").error()).isSameAs(mine);
      Scenario.assertCounted(command, EventType.BAD_REQUEST, EventType.EXCEPTION_THROWN);
      assertThat(scenario.call(command, "a").value()).isEqualTo("a");
      assertThat(scenario.call(command, "a").value()).isEqualTo("hidden");
    }
  }

  @Test
  void byKey_changedLive_countsForEveryKey() {
    Command<String, String> command = command("C", 1).rateLimitKey(argument -> argument).build();
    assertThat(admitted(command, "a") + admitted(command, "b")).isEqualTo(2);

    tenrec.set("tenrec.command.C.rateLimiter.burst", "3");

    assertThat(admitted(command, "a")).isEqualTo(2);
    assertThat(admitted(command, "b")).isEqualTo(2);
    assertThat(admitted(command, "c")).isEqualTo(3);
  }

  // With real threads, at one moment.

  @Test
  @Tag("race")
  void everyThread_atOnce_isLetInToTheLastPermitAndNoFurther() throws Exception {
    for (int round = 0; round < 10; round++) {
      int burst = 100;
      Command<String, String> command =
          command("C" + round, burst).isolation(Isolation.semaphore(50)).build();
      List<CompletableFuture<Integer>> callers = new ArrayList<>();
      for (int caller = 0; caller < 4; caller++) {
        callers.add(
            Elsewhere.call(
                () -> {
                  int succeeded = 0;
                  for (int i = 0; i < 200; i++) {
                    succeeded += command.attempt("x").isSuccess() ? 1 : 0;
                  }
                  return succeeded;
                }));
      }
      int succeeded = 0;
      for (CompletableFuture<Integer> caller : callers) {
        succeeded += caller.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      }

      assertThat(succeeded).isEqualTo(burst);
      assertThat(command.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(burst);
      assertThat(command.view().cumulativeCount(EventType.RATE_LIMITED)).isEqualTo(800 - burst);
      Account.of(command.view()).assertBalanced();
    }
  }

  // What else goes through the gates.

  @Test
  void answerOfTheRequestCache_spendsNoPermit() {
    Command<String, String> command = command("C", 1).cacheKey(argument -> argument).build();
    try (RequestContext request = tenrec.openRequest()) {
      for (int i = 0; i < 5; i++) {
        assertThat(command.execute("x")).isEqualTo("x");
      }
      assertThat(command.attempt("y").has(EventType.RATE_LIMITED)).isTrue();
    }
  }

  @Test
  void stream_spendsOnePermitForAll() {
    StreamCommand<String, Integer> command =
        tenrec
            .streamCommand("S", (String argument) -> Flowable.range(0, 100))
            .rateLimit(1, TEN_MS, 1)
            .rateLimitKey(argument -> argument)
            .build();

    assertThat(Flowable.fromPublisher(command.toFlowable("a")).count().blockingGet())
        .isEqualTo(100);
    assertThat(Flowable.fromPublisher(command.toFlowable("b")).count().blockingGet())
        .isEqualTo(100);
    Flowable.fromPublisher(command.toFlowable("a"))
        .test()
        .assertError(CommandRejectedException.class);
  }

  // What operators see.

  @Test
  void journalAndExplanation_sayWhatRefused() {
    Command<String, String> command = command("C", 1).build();
    assertThat(command.execute("x")).isEqualTo("x");
    assertThat(command.attempt("x").explain())
        .startsWith(
            "C: C was rejected: its rate limiter C has no permit left (1 in each period), the next"
                + " one comes in PT0.01S");

    assertThat(command.view().lastTrouble())
        .singleElement()
        .isInstanceOfSatisfying(
            JournalEntry.CallRefused.class,
            refused ->
                assertThat(refused.refusal())
                    .hasToString("rate limiter C had no permit left (1 in each period)"));
    assertThat(command.view().explain())
        .contains("0 timed out, 1 were refused")
        .contains(
            "Came too fast for the rate limiter: 1; in force are rateLimiter.permits = 1 (set in"
                + " code), rateLimiter.periodInMilliseconds = 10 (set in code) and"
                + " rateLimiter.burst = 1 (set in code).");
  }

  @Test
  void explanation_ofASettingRefusedAtTheStart_doesNotCallTheValueInForceAnEarlierOne() {
    tenrec.set("tenrec.command.C.rateLimiter.permits", "20000000"); // two for each nanosecond
    Command<String, String> command = command("C", 1).build();
    assertThat(tenrec.refusedSettings()).isOne();
    assertThat(command.execute("x")).isEqualTo("x");
    assertThat(command.attempt("x").isSuccess()).isFalse();
    assertThat(command.view().explain())
        .contains("rateLimiter.permits = 1 (the value of the strongest level is refused)");
  }
}
