// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * When a further attempt begins beside one that is slow, which of them answers and what becomes of
 * the other, by the manual clock. That every attempt is counted once, and that permits and threads
 * come back, is checked when each scenario ends.
 */
class HedgeTest {

  private static final Duration DELAY = HeldAttempts.DELAY;
  private static final Hedge AFTER = Hedge.after(DELAY);
  private static final HealthSnapshot SLOW_CALL = new HealthSnapshot(1, 0, 1);

  /** Where calls can be hedged, through every door. */
  static Stream<Arguments> hedgeable() {
    return Scenario.combined(Way.leavingCaller(), List.of(Door.values()));
  }

  /** The same through two doors: one whose caller waits, and one whose caller does not. */
  static Stream<Arguments> hedgeableInBrief() {
    return Scenario.combined(Way.leavingCaller(), List.of(Door.ATTEMPT, Door.ATTEMPT_ASYNC));
  }

  static Stream<Arguments> pools() {
    return Scenario.combined(List.of(Way.POOL), List.of(Door.ATTEMPT, Door.ATTEMPT_ASYNC));
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void slowFirst_isOutrunByItsHedge(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.both(command);
      work.answer(2).complete("2");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x2");
      work.awaitGone(1);
      Scenario.awaitCounted(command, EventType.SUCCESS, EventType.HEDGE, EventType.ATTEMPT_OUTRUN);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().events()).containsExactly(EventType.SUCCESS, EventType.HEDGE);
        assertThat(answer.outcome().attempts()).isEqualTo(2);
        assertThat(answer.outcome().failedAttempts()).isEmpty();
        assertThat(answer.outcome().cause()).isNull();
        assertThat(answer.outcome().executionLatency()).isZero();
        assertThat(answer.outcome().callerLatency()).isEqualTo(DELAY);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void hedge_isOutrunByTheFirst(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.both(command);
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
      work.awaitGone(2);
      Scenario.awaitCounted(command, EventType.SUCCESS, EventType.HEDGE, EventType.ATTEMPT_OUTRUN);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void fastFirst_hasNoHedge(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.first(command);
      work.answer(1).complete("1");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x1");
      scenario.time.advance(DELAY);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().attempts()).isOne();
        assertThat(answer.outcome().failedAttempts()).isEmpty();
      }
      Scenario.assertCounted(command, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void hedge_thatFails_leavesTheCallToTheFirst(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.both(command);
      work.fail(2, new IOException("attempt 2"));
      assertThat(Scenario.counted(command, EventType.FAILURE)).isOne();
      assertThat(caller.isAnswered()).isFalse();
      work.answer(1).complete("1");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x1");
      Scenario.assertCounted(command, EventType.SUCCESS, EventType.FAILURE, EventType.HEDGE);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 2");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void first_thatFailsAfterItsHedgeBegan_leavesTheCallToThat(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.both(command);
      work.fail(1, new IOException("attempt 1"));
      assertThat(Scenario.counted(command, EventType.FAILURE)).isOne();
      assertThat(caller.isAnswered()).isFalse();
      work.answer(2).complete("2");

      assertThat(caller.answer().value()).isEqualTo("x2");
      Scenario.assertCounted(command, EventType.SUCCESS, EventType.FAILURE, EventType.HEDGE);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void first_thatFailsBeforeItsHedge_isTheEndOfTheCall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.first(command);
      work.answer(1).completeExceptionally(new IOException("attempt 1"));

      Answer answer = caller.answer();

      assertThat(answer.error()).hasMessage("attempt 1");
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().executionLatency()).isZero();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void bothFail_andTheFallbackAnswersAfterTheLast(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command().fallback((x, cause) -> x + cause.getMessage()).build();
      Caller caller = work.both(command);
      work.fail(2, new IOException("attempt 2"));
      assertThat(Scenario.counted(command, EventType.FAILURE)).isOne();
      assertThat(Scenario.counted(command, EventType.FALLBACK_SUCCESS)).isZero();
      work.answer(1).completeExceptionally(new IOException("attempt 1"));

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("xattempt 1");
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.HEDGE,
          EventType.FALLBACK_SUCCESS);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 2", "attempt 1");
        assertThat(answer.outcome().executionLatency()).isEqualTo(DELAY); // of the last
      }
    }
  }

  /** A thread that runs the fallback is not free, and a caller that waits runs it itself. */
  @ParameterizedTest
  @MethodSource("pools")
  void permit_ofTheLastFailure_isHeldWhileItsThreadRunsTheFallback(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command()
              .fallback((x, cause) -> x + scenario.tenrec.commands().get(0).concurrency())
              .build();
      Caller caller = work.both(command);
      work.fail(2, new IOException("attempt 2"));
      work.answer(1).completeExceptionally(new IOException("attempt 1"));

      assertThat(caller.answer().value()).isEqualTo(door == Door.ATTEMPT ? "x0" : "x1");
    }
  }

  /** What a user's error says of equality is not asked, and could not hurt. */
  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void failures_areComparedByIdentity(Way way, Door door) throws Exception {
    class Incomparable extends IOException {
      private static final long serialVersionUID = 1;

      Incomparable(String message) {
        super(message);
      }

      @Override
      public boolean equals(Object other) {
        throw new IllegalStateException("compared with " + other);
      }

      @Override
      public int hashCode() {
        throw new IllegalStateException("hashed");
      }
    }
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.both(command);
      work.fail(2, new Incomparable("attempt 2"));
      work.fail(1, new Incomparable("attempt 1"));

      assertThat(caller.answer().outcome().failedAttempts())
          .extracting(Throwable::getMessage)
          .containsExactly("attempt 2", "attempt 1");
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void first_thatBreaksAtTheGates_leavesItsArgumentToTheFallback(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command()
              .rateLimit(10, Duration.ofSeconds(1), 10)
              .rateLimitKey(
                  x -> {
                    throw new AssertionError("no key for " + x);
                  })
              .fallback((x, cause) -> x + ": " + cause.getMessage())
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("x: no key for x");
      Scenario.assertCounted(command, EventType.FAILURE, EventType.FALLBACK_SUCCESS);
    }
  }

  static Stream<Arguments> stages() {
    return Scenario.combined(List.of(Way.STAGE), List.of(Door.values()));
  }

  /** Its thread is not the caller's, whose interrupt would end the call. */
  @ParameterizedTest
  @MethodSource("stages")
  void hedge_whoseStartIsInterrupted_leavesTheCallToTheFirst(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          scenario
              .tenrec
              .asyncCommand(
                  "Subject",
                  (String x, Call call) -> {
                    if (call.attempt() == 2) {
                      throw new InterruptedException("not the caller's");
                    }
                    return work.start(x, call);
                  })
              .isolation(way.isolation())
              .timeout(Scenario.TIMEOUT)
              .hedge(AFTER.budget(100, 100))
              .build();
      Caller caller = work.first(command);
      scenario.time.advance(DELAY);
      Scenario.await().until(() -> Scenario.counted(command, EventType.FAILURE) == 1);
      assertThat(caller.isAnswered()).isFalse();
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
      Scenario.assertCounted(command, EventType.SUCCESS, EventType.FAILURE, EventType.HEDGE);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void timeOut_ofBoth_isCountedOnceAndStopsBoth(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().fallback((x, cause) -> "late").build();
      Caller caller = work.both(command);
      scenario.time.advance(Scenario.TIMEOUT.minus(DELAY));

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("late");
      work.awaitGone(1);
      work.awaitGone(2);
      Scenario.awaitCounted(
          command,
          EventType.TIMEOUT,
          EventType.FALLBACK_SUCCESS,
          EventType.HEDGE,
          EventType.ATTEMPT_OUTRUN);
      assertThat(command.view().health().errors()).isOne();
      if (answer.outcome() != null) {
        assertThat(answer.outcome().cause())
            .isInstanceOfSatisfying(
                CommandTimeoutException.class, late -> assertThat(late.workBegan()).isTrue());
        assertThat(answer.outcome().attempts()).isEqualTo(2);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void cancelling_stopsBoth(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command()
              .property("execution.isolation.thread.interruptOnFutureCancel", "true")
              .build();
      Caller caller = work.both(command).giveUp();

      assertThat(caller.answer().error()).isNotNull();
      work.awaitGone(1);
      work.awaitGone(2);
      Scenario.awaitCounted(
          command, EventType.CANCELLED, EventType.HEDGE, EventType.ATTEMPT_OUTRUN);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void badRequest_ofOne_endsTheCall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().fallback((x, cause) -> "never").build();
      Caller caller = work.both(command);
      work.answer(2).completeExceptionally(new BadRequestException("wrong"));

      assertThat(caller.answer().error()).isInstanceOf(BadRequestException.class);
      work.awaitGone(1);
      Scenario.awaitCounted(
          command,
          EventType.BAD_REQUEST,
          EventType.EXCEPTION_THROWN,
          EventType.HEDGE,
          EventType.ATTEMPT_OUTRUN);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void hedge_thatFindsNoRoom_leavesTheFirstAlone(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().isolation(way.isolation(1)).build();
      Caller caller = work.first(command);
      scenario.time.advance(DELAY);
      Scenario.await().until(() -> Scenario.counted(command, EventType.HEDGE_REFUSED) == 1);
      work.answer(1).complete("1");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x1");
      assertThat(answer.outcome().attempts()).isOne();
      assertThat(answer.outcome().events())
          .containsExactly(EventType.SUCCESS, EventType.HEDGE_REFUSED);
      Scenario.assertCounted(command, EventType.SUCCESS, EventType.HEDGE_REFUSED);
      assertThat(command.view().health().errors()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void hedge_thatTheBudgetHasNoneFor_doesNotBegin(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().hedge(AFTER.budget(0, 0)).build();
      Caller caller = work.first(command);
      scenario.time.advance(DELAY);
      Scenario.await().until(() -> Scenario.counted(command, EventType.HEDGE_REFUSED) == 1);
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
      Scenario.assertCounted(command, EventType.SUCCESS, EventType.HEDGE_REFUSED);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void hedge_ofACircuitThatHasOpened_doesNotBegin(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = tripping(work.command());
      Caller caller = work.first(command);
      trip(scenario);
      scenario.time.advance(Duration.ofSeconds(10));
      Scenario.await().until(() -> Scenario.counted(command, EventType.HEDGE_REFUSED) == 1);
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
      assertThat(Scenario.counted(command, EventType.HEDGE)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void hedge_ofACallWithoutBreaker_beginsWhateverTheCircuitIs(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = tripping(work.command());
      scenario.tenrec.set("tenrec.command.Subject.circuitBreaker.enabled", "false");
      Caller caller = work.first(command);
      // the circuit guards calls that begin from here on, and not the first one
      scenario.tenrec.set("tenrec.command.Subject.circuitBreaker.enabled", "true");
      trip(scenario);
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
      scenario.time.advance(Duration.ofSeconds(10));
      work.awaitBegun(2);
      work.answer(2).complete("2");

      assertThat(caller.answer().value()).isEqualTo("x2");
      work.awaitGone(1);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void hedge_afterTheSleepWindow_leavesTheTrialToACall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = tripping(work.command());
      Caller caller = work.first(command);
      trip(scenario);
      scenario.time.advance(Duration.ofMinutes(2));
      Scenario.await().until(() -> Scenario.counted(command, EventType.HEDGE_REFUSED) == 1);

      assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
      work.answer(1).complete("1");
      assertThat(caller.answer().value()).isEqualTo("x1");
      assertThat(Scenario.counted(command, EventType.HEDGE)).isZero();
    }
  }

  /** The states go on underneath, and what a hedge does must not move them. */
  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void hedge_ofACommandWhoseBreakerOnlyObserves_makesNoCircuitHalfOpen(Way way, Door door)
      throws Exception {
    for (String mode : List.of("observeOnly", "forceClosed")) {
      try (Scenario scenario = new Scenario(way, door)) {
        HeldAttempts work = new HeldAttempts(scenario);
        Command<String, String> command = tripping(work.command());
        scenario.tenrec.set("tenrec.command.Subject.circuitBreaker." + mode, "true");
        Caller caller = work.first(command);
        // the circuit guards calls that begin from here on, and not the first one
        scenario.tenrec.set("tenrec.command.Subject.circuitBreaker." + mode, "false");
        trip(scenario);
        scenario.time.advance(Duration.ofMinutes(2));
        Scenario.await()
            .until(
                () ->
                    Scenario.counted(command, EventType.HEDGE_REFUSED)
                            + Scenario.counted(command, EventType.HEDGE)
                        == 1);

        assertThat(command.view().circuitState()).isEqualTo(CircuitState.OPEN);
        work.answer(1).complete("1");
        assertThat(caller.answer().value()).isEqualTo("x1");
      }
    }
  }

  /** Eleven hedges of a budget of ten find no room, and one more finds some. */
  @ParameterizedTest
  @MethodSource("pools")
  void hedge_thatFindsNoRoom_givesBackWhatItHasDrawn(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Map<String, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
      CompletableFuture<String> occupied = new CompletableFuture<>();
      var pool = Isolation.threadPool().key("Pool").coreSize(2);
      Command<String, String> occupant =
          scenario
              .tenrec
              .command("Occupant", (String x) -> occupied.get())
              .isolation(pool)
              .withoutTimeout()
              .build();
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String x, Call call) ->
                      answers
                          .computeIfAbsent(x + call.attempt(), n -> new CompletableFuture<>())
                          .get())
              .isolation(pool)
              .timeout(Scenario.TIMEOUT)
              .hedge(AFTER.budget(0, 1))
              .build();
      CompletableFuture<String> first = occupant.executeAsync("x");
      for (int i = 1; i <= 11; i++) {
        int refused = i;
        String key = "call " + i + ", attempt ";
        Caller caller = scenario.start(command, key);
        Scenario.await().until(() -> answers.containsKey(key + 1));
        scenario.time.advance(DELAY);
        Scenario.await().until(() -> Scenario.counted(command, EventType.HEDGE_REFUSED) == refused);
        answers.get(key + 1).complete("first");
        assertThat(caller.answer().value()).isEqualTo("first");
        Scenario.await().until(() -> command.view().concurrency() == 0);
      }
      occupied.complete("done");
      assertThat(first.get()).isEqualTo("done");
      Scenario.await().until(() -> occupant.view().concurrency() == 0);

      Caller caller = scenario.start(command, "last");
      Scenario.await().until(() -> answers.containsKey("last1"));
      scenario.time.advance(DELAY);
      Scenario.await().until(() -> answers.containsKey("last2"));
      answers.get("last2").complete("hedge");
      assertThat(caller.answer().value()).isEqualTo("hedge");
      assertThat(Scenario.counted(command, EventType.HEDGE)).isOne();
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void trial_ofAHalfOpenCircuit_isNotHedged(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = tripping(work.command());
      trip(scenario);
      scenario.time.advance(Duration.ofMinutes(2));
      Caller caller = work.first(command);
      scenario.time.advance(Duration.ofSeconds(20));
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
      assertThat(command.view().circuitState()).isEqualTo(CircuitState.CLOSED);
      assertThat(Scenario.counted(command, EventType.HEDGE)).isZero();
      assertThat(Scenario.counted(command, EventType.HEDGE_REFUSED)).isZero();
    }
  }

  /** Its hedge is due long after the circuit's next look at the health. */
  private static Command<String, String> tripping(CommandBuilder<String, String> builder) {
    return builder
        .timeout(Duration.ofMinutes(5))
        .errorThreshold(1, 1)
        .sleepWindow(Duration.ofMinutes(1))
        .hedge(Hedge.after(Duration.ofSeconds(10)).budget(100, 100))
        .build();
  }

  /** By a call of the same key that fails. */
  private static void trip(Scenario scenario) throws Exception {
    Command<String, String> failing =
        tripping(
            scenario
                .tenrec
                .asyncCommand(
                    "Subject",
                    (String x) -> CompletableFuture.<String>failedFuture(new IOException("down")))
                .isolation(scenario.way.isolation()));
    Answer answer = scenario.call(failing, "y");
    assertThat(answer.error()).hasMessage("down");
    scenario.time.advance(Duration.ofSeconds(1)); // the look may be left to the timer
    Scenario.await().until(() -> failing.view().circuitState() == CircuitState.OPEN);
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void atMost_two_beginsOneAfterTheOther(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command()
              .timeout(Duration.ofHours(1)) // time goes on by itself below
              .hedge(AFTER.atMost(2).budget(100, 100))
              .build();
      Caller caller = work.both(command);
      Scenario.await()
          .until(
              () -> { // the third is due so long after the second, whenever that was
                scenario.time.advanceMillis(1);
                return work.begun.contains(3);
              });
      work.answer(3).complete("3");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x3");
      assertThat(answer.outcome().attempts()).isEqualTo(3);
      work.awaitGone(1);
      work.awaitGone(2);
      Scenario.awaitCounted(
          command,
          EventType.SUCCESS,
          EventType.HEDGE,
          EventType.HEDGE,
          EventType.ATTEMPT_OUTRUN,
          EventType.ATTEMPT_OUTRUN);
    }
  }

  @ParameterizedTest
  @MethodSource("pools")
  void first_thatWaitsForAThread_isNotHedgedBeforeItHasOne(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      CompletableFuture<String> occupied = new CompletableFuture<>();
      var pool = Isolation.threadPool().key("Pool").coreSize(1).queueSize(5);
      Command<String, String> occupant =
          scenario
              .tenrec
              .command("Occupant", (String x) -> occupied.get())
              .isolation(pool)
              .withoutTimeout()
              .build();
      Command<String, String> command =
          work.command().isolation(pool).timeout(Duration.ofMinutes(1)).build();
      CompletableFuture<String> first = occupant.executeAsync("x");
      Caller caller = scenario.start(command, "x");
      Scenario.await().until(() -> command.view().concurrency() > 0);
      scenario.time.advance(DELAY.multipliedBy(3));
      if (door == Door.ATTEMPT) {
        // its caller is its own timer, which leaves the attempt's deadline, and nothing that looks
        Scenario.await().until(() -> Inside.pendingTimeouts(Inside.runtime(command.view())) == 1);
      }
      occupied.complete("done");
      assertThat(first.get()).isEqualTo("done");
      work.awaitBegun(1);
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
      Scenario.assertCounted(command, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("pools")
  void outrun_withoutInterrupts_goesOnAndIsCountedAsBusy(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command().property("execution.isolation.thread.interruptOnTimeout", "false").build();
      Caller caller = work.both(command);
      work.answer(2).complete("2");

      assertThat(caller.answer().value()).isEqualTo("x2");
      Scenario.awaitCounted(command, EventType.SUCCESS, EventType.HEDGE, EventType.ATTEMPT_OUTRUN);
      assertThat(command.view().stillBusy()).isOne();
      assertThat(command.view().concurrency()).isOne();
      assertThat(work.gone).isEmpty();
      work.answer(1).complete("too late");
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void switchedOff_whileTheFirstIsUnderWay_noneBegins(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.first(command);
      scenario.tenrec.set("tenrec.command.default.hedge.enabled", "false");
      scenario.time.advance(DELAY);
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
      Scenario.assertCounted(command, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void latency_ofAnOutrunFirst_isRecordedWithWhatItWasOut(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().slowCall(Duration.ofMillis(30)).build();
      Caller caller = work.both(command);
      work.answer(2).complete("2");

      assertThat(caller.answer().value()).isEqualTo("x2");
      assertThat(command.view().executionLatency().count()).isEqualTo(2);
      assertThat(command.view().executionLatency().maxNanos())
          .isGreaterThan(DELAY.minusMillis(1).toNanos()); // of a slot, its midpoint
      assertThat(command.view().health()).as("as the call would have been").isEqualTo(SLOW_CALL);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void latency_ofAnOutrunHedge_isLeftOut(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.both(command);
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
      assertThat(command.view().executionLatency().count()).isOne();
      assertThat(command.view().executionLatency().minNanos())
          .isGreaterThan(DELAY.minusMillis(1).toNanos()); // of a slot, its midpoint
    }
  }

  @ParameterizedTest
  @MethodSource("pools")
  void percentile_ofAHundredExecutions_saysWhenAHedgeIsDue(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      List<Long> began = new CopyOnWriteArrayList<>();
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String x, Call call) -> {
                    if (x.equals("warm")) {
                      scenario.time.advanceMillis(10);
                      return x;
                    }
                    began.add(scenario.time.nanoTime());
                    return work.run(x, call);
                  })
              .isolation(way.isolation())
              .timeout(Duration.ofHours(1))
              .hedge(Hedge.afterPercentile(95).budget(100, 100))
              .build();
      for (int i = 0; i < 99; i++) {
        assertThat(scenario.call(command, "warm").value()).isEqualTo("warm");
      }
      scenario.time.advance(Duration.ofSeconds(2)); // the percentile is read once a second
      Caller unhedged = work.first(command);
      scenario.time.advance(Duration.ofSeconds(5));
      work.answer(1).complete("1");
      assertThat(unhedged.answer().value()).as("of too few to tell").isEqualTo("x1");
      Scenario.assertCounted(command, successes(100));

      work.answers.clear();
      work.begun.clear();
      began.clear();
      scenario.time.advance(Duration.ofSeconds(2));
      Caller hedged = work.first(command);
      scenario.time.advance(Duration.ofMillis(11));
      work.awaitBegun(2);
      work.answer(2).complete("2");

      assertThat(hedged.answer().value()).isEqualTo("x2");
      assertThat(began.get(1) - began.get(0))
          .isGreaterThanOrEqualTo(Duration.ofMillis(10).toNanos());
    }
  }

  private static EventType[] successes(int n) {
    EventType[] all = new EventType[n];
    Arrays.fill(all, EventType.SUCCESS);
    return all;
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void hedge_thatTheDeadlineLeavesNoTimeFor_doesNotBegin(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().timeout(Duration.ofMillis(300)).build();
      Caller slow = work.first(command);
      scenario.time.advance(DELAY.minusMillis(1)); // so long an execution takes
      work.answer(1).complete("1");
      assertThat(slow.answer().value()).isEqualTo("x1");
      scenario.tenrec.set("tenrec.command.Subject.hedge.afterInMilliseconds", "260");

      work.answers.clear();
      work.begun.clear();
      Caller caller = work.first(command);
      scenario.time.advanceMillis(260); // 40 ms are left
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
      Scenario.assertCounted(command, EventType.SUCCESS, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void context_ofTheCaller_isThatOfBothAttempts(Way way, Door door) throws Exception {
    ThreadLocal<String> tenant = new ThreadLocal<>();
    List<String> seen = new CopyOnWriteArrayList<>();
    ContextPropagator propagator =
        () -> {
          String captured = tenant.get();
          return () -> {
            String before = tenant.get();
            tenant.set(captured);
            return () -> tenant.set(before);
          };
        };
    try (Scenario scenario = new Scenario(way, door, Tenrec.builder().propagate(propagator))) {
      HeldAttempts work = new HeldAttempts(scenario);
      CommandBuilder<String, String> builder =
          way == Way.STAGE
              ? scenario.tenrec.asyncCommand(
                  "Subject",
                  (String x, Call call) -> {
                    seen.add(call.attempt() + " " + tenant.get());
                    return work.start(x, call);
                  })
              : scenario.tenrec.command(
                  "Subject",
                  (String x, Call call) -> {
                    seen.add(call.attempt() + " " + tenant.get());
                    return work.run(x, call);
                  });
      Command<String, String> command =
          builder.isolation(way.isolation()).hedge(AFTER.budget(100, 100)).build();
      scenario.count(command);
      tenant.set("ours");
      CompletableFuture<String> call = command.executeAsync("x");
      tenant.remove();
      work.awaitBegun(1);
      scenario.time.advance(DELAY);
      work.awaitBegun(2);
      work.answer(2).complete("2");

      assertThat(call.get()).isEqualTo("x2");
      assertThat(seen).containsExactly("1 ours", "2 ours");
    }
  }

  /** What listeners are notified of, with the thread for the steps that come in pairs. */
  private static final class Steps implements CommandListener {

    final List<String> seen = new CopyOnWriteArrayList<>();

    @Override
    public void onStart(ListenedCall call) {
      seen.add("start");
    }

    @Override
    public void onThreadStart(ListenedCall call) {
      seen.add("thread start " + Thread.currentThread());
    }

    @Override
    public void onThreadEnd(ListenedCall call) {
      seen.add("thread end " + Thread.currentThread());
    }

    @Override
    public void onHedge(ListenedCall call, int attempt) {
      seen.add("hedge " + attempt);
    }

    @Override
    public void onWorkSuccess(ListenedCall call, @Nullable Object value) {
      seen.add("work success " + value);
    }

    @Override
    public void onSuccess(ListenedCall call, @Nullable Object value) {
      seen.add("success " + value);
    }

    private List<String> of(String step) {
      return seen.stream().filter(one -> one.startsWith(step)).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("pools")
  void listeners_hearOfOneCallAndOfTheThreadsOfBothAttempts(Way way, Door door) throws Exception {
    Steps steps = new Steps();
    try (Scenario scenario = new Scenario(way, door, Tenrec.builder().listen(steps))) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.both(command);
      work.answer(2).complete("2");
      assertThat(caller.answer().value()).isEqualTo("x2");
      work.awaitGone(1);

      Scenario.await().until(() -> steps.of("thread end").size() == 2);
      Scenario.await().until(() -> steps.of("success").size() == 1);
      assertThat(steps.of("start")).hasSize(1);
      assertThat(steps.of("hedge")).containsExactly("hedge 2");
      assertThat(steps.of("work success")).containsExactly("work success x2");
      assertThat(steps.of("success")).containsExactly("success x2");
      assertThat(steps.of("thread end").stream().map(one -> one.substring(11)).toList())
          .as("each on the thread it began on")
          .containsExactlyInAnyOrderElementsOf(
              steps.of("thread start").stream().map(one -> one.substring(13)).toList());
    }
  }

  @ParameterizedTest
  @MethodSource("pools")
  void explanation_saysWhatWasHedged_andWhatWasNot(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().build();
      Caller caller = work.both(command);
      work.answer(2).complete("2");
      assertThat(caller.answer().value()).isEqualTo("x2");
      Scenario.awaitCounted(command, EventType.SUCCESS, EventType.HEDGE, EventType.ATTEMPT_OUTRUN);

      assertThat(command.view().explain())
          .contains(
              "1 attempts were hedges, begun beside one that was slow; 1 attempts were outrun")
          .doesNotContain("hedges were due");
    }
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().hedge(AFTER.budget(0, 0)).build();
      Caller caller = work.first(command);
      scenario.time.advance(DELAY);
      Scenario.await().until(() -> Scenario.counted(command, EventType.HEDGE_REFUSED) == 1);
      work.answer(1).complete("1");
      assertThat(caller.answer().value()).isEqualTo("x1");

      assertThat(command.view().explain())
          .contains("1 hedges were due and did not begin")
          .doesNotContain("attempts were hedges");
    }
  }

  /** The function for the rate's key is users' code, and may take as long as the call. */
  @ParameterizedTest
  @MethodSource("pools")
  void hedge_whoseCallEndsWhileItIsAtItsGates_givesBackItsPermit(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      AtomicInteger asked = new AtomicInteger();
      Command<String, String> command =
          work.command()
              .rateLimit(100, Duration.ofSeconds(1), 100)
              .rateLimitKey(
                  x -> {
                    if (asked.incrementAndGet() == 2) { // for the hedge
                      work.answer(1).complete("1");
                      CommandView view = scenario.tenrec.commands().get(0);
                      Scenario.await().until(() -> view.cumulativeCount(EventType.SUCCESS) == 1);
                    }
                    return x;
                  })
              .build();
      Caller caller = work.first(command);
      scenario.time.advance(DELAY);

      assertThat(caller.answer().value()).isEqualTo("x1");
      assertThat(asked).hasValue(2);
      Scenario.await().until(() -> command.view().concurrency() == 0);
      assertThat(work.begun).containsExactly(1);
      Scenario.assertCounted(command, EventType.SUCCESS);
    }
  }

  /** What was read of another percentile says nothing of this one, however new it is. */
  @ParameterizedTest
  @MethodSource("pools")
  void percentile_changedWhileItRuns_holdsForTheNextCall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String x, Call call) -> {
                    if (x.equals("x")) {
                      return work.run(x, call);
                    }
                    scenario.time.advanceMillis(Long.parseLong(x));
                    return x;
                  })
              .isolation(way.isolation())
              .timeout(Duration.ofHours(1))
              .hedge(Hedge.afterPercentile(95).budget(100, 100))
              .build();
      for (int i = 0; i < 100; i++) {
        String millis = i < 80 ? "10" : "200";
        assertThat(scenario.call(command, millis).value()).isEqualTo(millis);
      }
      scenario.time.advance(Duration.ofSeconds(2)); // the percentile is read once a second
      Caller first = work.first(command);
      scenario.time.advanceMillis(11);
      work.answer(1).complete("1");
      assertThat(first.answer().value()).as("long before it is due").isEqualTo("x1");
      assertThat(Scenario.counted(command, EventType.HEDGE)).isZero();

      scenario.tenrec.set("tenrec.command.Subject.hedge.afterPercentile", "50");
      work.answers.clear();
      work.begun.clear();
      Caller second = work.first(command);
      scenario.time.advanceMillis(12);
      work.awaitBegun(2);
      work.answer(2).complete("2");

      assertThat(second.answer().value()).isEqualTo("x2");
    }
  }
}
