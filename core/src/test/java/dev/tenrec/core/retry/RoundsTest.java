// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A retry and a hedge on one command, by the manual clock: which attempts begin beside one another,
 * when the next round of them begins, and how many there are. That every attempt is counted once,
 * and that permits and threads come back, is checked when each scenario ends.
 */
class RoundsTest {

  private static final Duration DELAY = HeldAttempts.DELAY;
  private static final Duration WAIT = Duration.ofMillis(10);

  private static final Retry RETRY =
      Retry.attempts(4)
          .backoff(WAIT, Duration.ofMillis(40))
          .jitter(Jitter.NONE)
          .budget(100, 100)
          .howeverLittleTimeIsLeft();

  static Stream<Arguments> hedgeable() {
    return Scenario.combined(Way.leavingCaller(), List.of(Door.values()));
  }

  static Stream<Arguments> hedgeableInBrief() {
    return Scenario.combined(Way.leavingCaller(), List.of(Door.ATTEMPT, Door.ATTEMPT_ASYNC));
  }

  private static void awaitWaiting(Command<?, ?> command) {
    Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
  }

  private static IOException failure(int attempt) {
    return new IOException("attempt " + attempt);
  }

  /** Fails the only attempt under way, and lets the next round begin with the attempt after it. */
  private static void nextRound(
      Scenario scenario, HeldAttempts work, Command<?, ?> command, int attempt, Duration wait) {
    work.fail(attempt, failure(attempt));
    awaitWaiting(command);
    scenario.time.advance(wait);
    work.awaitBegun(attempt + 1);
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void failure_beforeItsHedge_isFollowedByAnotherRound(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.first(command);
      nextRound(scenario, work, command, 1, WAIT);
      work.answer(2).complete("2");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x2");
      Scenario.awaitCounted(command, EventType.FAILURE, EventType.RETRY, EventType.SUCCESS);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().attempts()).isEqualTo(2);
        assertThat(answer.outcome().events())
            .containsExactlyInAnyOrder(EventType.FAILURE, EventType.RETRY, EventType.SUCCESS);
        assertThat(answer.outcome().failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 1");
        assertThat(answer.outcome().callerLatency()).isEqualTo(WAIT);
      }
    }
  }

  /** It may have to run the fallback, unless a caller waits, which runs it itself. */
  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void permit_whileItIsAskedWhetherARoundFollows_isHeldByTheThreadThatAsks(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      CompletableFuture<Integer> held = new CompletableFuture<>();
      Command<String, String> command =
          work.command()
              .retry(
                  RETRY.onlyIf(
                      thrown -> {
                        held.complete(scenario.tenrec.commands().get(0).concurrency());
                        return false;
                      }))
              .build();
      Caller caller = work.first(command);
      work.answer(1).completeExceptionally(failure(1));

      assertThat(caller.answer().error()).hasMessage("attempt 1");
      assertThat(held).isCompletedWithValue(way.isAway() && door != Door.ATTEMPT ? 1 : 0);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void round_endsWhenAllOfItsAttemptsHaveFailed(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.both(command);
      work.fail(1, failure(1));
      assertThat(Inside.waitingForRetry(command.view())).isZero(); // the hedge is under way
      nextRound(scenario, work, command, 2, WAIT);
      work.answer(3).complete("3");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x3");
      Scenario.awaitCounted(
          command,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.HEDGE,
          EventType.RETRY,
          EventType.SUCCESS);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().attempts()).isEqualTo(3);
        assertThat(answer.outcome().failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 1", "attempt 2");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void laterRound_hasAHedgeOfItsOwn_afterItsOwnDelay(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.first(command);
      nextRound(scenario, work, command, 1, WAIT);
      scenario.time.advance(DELAY.minus(WAIT)); // when the first round's hedge was due
      assertThat(Scenario.counted(command, EventType.HEDGE)).isZero();
      scenario.time.advance(WAIT);
      work.awaitBegun(3);
      work.answer(3).complete("3");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x3");
      Scenario.awaitCounted(
          command,
          EventType.FAILURE,
          EventType.RETRY,
          EventType.HEDGE,
          EventType.SUCCESS,
          EventType.ATTEMPT_OUTRUN);
      work.awaitGone(2);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().callerLatency()).isEqualTo(WAIT.plus(DELAY));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void waits_growByRound_notByAttempt(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.both(command);
      work.fail(1, failure(1));
      nextRound(scenario, work, command, 2, WAIT);
      nextRound(scenario, work, command, 3, WAIT.multipliedBy(2));
      work.answer(4).complete("4");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x4");
      if (answer.outcome() != null) {
        assertThat(answer.outcome().callerLatency()).isEqualTo(DELAY.plus(WAIT.multipliedBy(3)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void attemptsAndHedges_areTogetherAtMostAttempts(Way way, Door door) throws Exception {
    Retry three = Retry.attempts(3).backoff(WAIT, WAIT).jitter(Jitter.NONE).budget(100, 100);
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(three).build();
      Caller caller = work.both(command);
      work.fail(1, failure(1));
      nextRound(scenario, work, command, 2, WAIT);
      scenario.time.advance(DELAY); // no hedge: it would be the fourth
      work.fail(3, failure(3));

      Answer answer = caller.answer();

      assertThat(answer.error()).hasMessage("attempt 3");
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.HEDGE,
          EventType.RETRY,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().attempts()).isEqualTo(3);
        assertThat(answer.outcome().failedAttempts()).hasSize(3);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void fallback_comesAfterTheLastRound(Way way, Door door) throws Exception {
    Retry two = Retry.attempts(2).backoff(WAIT, WAIT).jitter(Jitter.NONE).budget(100, 100);
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command().retry(two).fallback((x, cause) -> x + cause.getMessage()).build();
      Caller caller = work.first(command);
      nextRound(scenario, work, command, 1, WAIT);
      assertThat(Scenario.counted(command, EventType.FALLBACK_SUCCESS)).isZero();
      work.fail(2, failure(2));

      assertThat(caller.answer().value()).isEqualTo("xattempt 2");
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void emptyBudget_endsTheCallWithItsFirstRound(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY.budget(0, 0)).build();
      Caller caller = work.first(command);
      work.answer(1).completeExceptionally(failure(1));

      Answer answer = caller.answer();

      assertThat(answer.error()).hasMessage("attempt 1");
      assertThat(answer.outcome().events()).contains(EventType.RETRY_BUDGET_EXHAUSTED);
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.RETRY_BUDGET_EXHAUSTED,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN);
    }
  }

  /** Both spend: what hedges took, retries have no more, and the other way round. */
  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void budget_isSpentByRetriesAndHedgesTogether(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      for (int i = 0; i < 5; i++) { // each takes two of the ten
        HeldAttempts work = new HeldAttempts(scenario);
        Command<String, String> command = few(work);
        Caller caller = work.both(command);
        work.fail(1, failure(1));
        nextRound(scenario, work, command, 2, WAIT);
        work.answer(3).complete("3");
        assertThat(caller.answer().value()).isEqualTo("x3");
      }
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = few(work);
      Caller caller = work.first(command);
      scenario.time.advance(DELAY);
      Scenario.await().until(() -> Scenario.counted(command, EventType.HEDGE_REFUSED) == 1);
      work.answer(1).completeExceptionally(failure(1));

      assertThat(caller.answer().error()).hasMessage("attempt 1");
      assertThat(Scenario.counted(command, EventType.RETRY_BUDGET_EXHAUSTED)).isOne();
      assertThat(Scenario.counted(command, EventType.HEDGE)).isEqualTo(5);
      assertThat(Scenario.counted(command, EventType.RETRY)).isEqualTo(5);
    }
  }

  private static Command<String, String> few(HeldAttempts work) {
    return work.command()
        .hedge(Hedge.after(DELAY).budget(0, 1))
        .retry(RETRY.budget(0, 1))
        .withoutCircuitBreaker()
        .build();
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void badRequest_endsTheCall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.first(command);
      nextRound(scenario, work, command, 1, WAIT);
      work.answer(2).completeExceptionally(new BadRequestException("bad"));

      assertThat(caller.answer().error()).isInstanceOf(BadRequestException.class);
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.RETRY,
          EventType.BAD_REQUEST,
          EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void failure_thatIsNotChosen_endsTheCall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command().retry(RETRY.on(IllegalStateException.class)).build();
      Caller caller = work.both(command);
      work.fail(1, new IllegalStateException("chosen, while another attempt is under way"));
      work.answer(2).completeExceptionally(failure(2));

      assertThat(caller.answer().error()).hasMessage("attempt 2");
      assertThat(Scenario.counted(command, EventType.RETRY)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void refusals_areRetriedOnlyIfAsked(Way way, Door door) throws Exception {
    for (boolean asked : new boolean[] {true, false}) {
      try (Scenario scenario = new Scenario(way, door)) {
        Retry two = Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO).budget(100, 100);
        Command<String, String> command =
            new HeldAttempts(scenario)
                .command()
                .property("circuitBreaker.forceOpen", "true")
                .retry(asked ? two.onRefusals() : two)
                .build();

        Answer answer = scenario.start(command, "x").answer();

        assertThat(answer.error()).isInstanceOf(CircuitOpenException.class);
        assertThat(Scenario.counted(command, EventType.SHORT_CIRCUITED)).isEqualTo(asked ? 2 : 1);
        assertThat(Scenario.counted(command, EventType.RETRY)).isEqualTo(asked ? 1 : 0);
      }
    }
  }

  /** A refusal by our own gates says less than the work's failure before it. */
  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void refusal_ofALaterRound_keepsTheWorksFailure(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command()
              .retry(RETRY)
              .errorThreshold(1, 1)
              .sleepWindow(Duration.ofSeconds(5))
              .property("metrics.healthSnapshot.intervalInMilliseconds", "1")
              .build();
      Caller caller = work.first(command);
      work.fail(1, failure(1)); // which opens the circuit
      awaitWaiting(command);
      scenario.time.advance(WAIT);

      assertThat(caller.answer().error()).hasMessage("attempt 1");
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.RETRY,
          EventType.SHORT_CIRCUITED,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void attempt_thatTakesTooLong_isFollowedByAnotherRound(Way way, Door door) throws Exception {
    Duration limit = Duration.ofMillis(20);
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY.attemptTimeout(limit)).build();
      Caller caller = work.first(command);
      scenario.time.advance(limit);
      awaitWaiting(command);
      work.awaitGone(1);
      scenario.time.advance(WAIT);
      work.awaitBegun(2);
      work.answer(2).complete("2");

      Answer answer = caller.answer();

      assertThat(answer.value()).isEqualTo("x2");
      Scenario.awaitCounted(command, EventType.TIMEOUT, EventType.RETRY, EventType.SUCCESS);
      assertThat(answer.outcome().failedAttempts())
          .singleElement()
          .isInstanceOfSatisfying(
              CommandTimeoutException.class,
              late -> assertThat(late.limit()).isEqualTo(Limit.ATTEMPT));
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void attempt_thatTakesTooLong_leavesTheCallToItsHedge(Way way, Door door) throws Exception {
    Duration limit = DELAY.plusMillis(30);
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY.attemptTimeout(limit)).build();
      Caller caller = work.both(command);
      scenario.time.advanceMillis(30);
      work.awaitGone(1);
      Scenario.await().until(() -> Scenario.counted(command, EventType.TIMEOUT) == 1);
      assertThat(Inside.waitingForRetry(command.view())).isZero();
      work.answer(2).complete("2");

      assertThat(caller.answer().value()).isEqualTo("x2");
      Scenario.awaitCounted(command, EventType.TIMEOUT, EventType.HEDGE, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void attempts_thatAllTakeTooLong_endTheCallAsATimeOut(Way way, Door door) throws Exception {
    Duration limit = Duration.ofMillis(20);
    Retry two =
        Retry.attempts(2)
            .backoff(WAIT, WAIT)
            .jitter(Jitter.NONE)
            .budget(100, 100)
            .howeverLittleTimeIsLeft()
            .attemptTimeout(limit);
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command()
              .retry(two)
              .fallback((x, cause) -> cause instanceof CommandTimeoutException ? "f" : "?")
              .build();
      Caller caller = work.first(command);
      scenario.time.advance(limit);
      awaitWaiting(command);
      scenario.time.advance(WAIT);
      work.awaitBegun(2);
      scenario.time.advance(limit);

      assertThat(caller.answer().value()).isEqualTo("f");
      Scenario.awaitCounted(
          command,
          EventType.TIMEOUT,
          EventType.TIMEOUT,
          EventType.RETRY,
          EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void deadline_ofTheCall_endsALaterRound(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.first(command);
      nextRound(scenario, work, command, 1, WAIT);
      scenario.time.advance(DELAY);
      work.awaitBegun(3);
      scenario.time.advance(Scenario.TIMEOUT);

      Answer answer = caller.answer();

      assertThat(answer.error()).isInstanceOf(CommandTimeoutException.class);
      work.awaitGone(2);
      work.awaitGone(3);
      Scenario.awaitCounted(
          command,
          EventType.FAILURE,
          EventType.RETRY,
          EventType.HEDGE,
          EventType.TIMEOUT,
          EventType.ATTEMPT_OUTRUN,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN);
    }
  }

  /** Time has passed beyond the next round's beginning and the call's end. */
  @ParameterizedTest
  @MethodSource("hedgeable")
  void deadline_betweenTwoRounds_endsTheCallWithTheLastFailure(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.both(command);
      work.fail(2, failure(2));
      work.fail(1, failure(1));
      awaitWaiting(command);
      scenario.time.advance(Scenario.TIMEOUT);

      Answer answer = caller.answer();

      assertThat(answer.error()).hasMessage("attempt 1");
      assertThat(Inside.waitingForRetry(command.view())).isZero();
      if (answer.outcome() != null) {
        assertThat(answer.outcome().attempts()).isEqualTo(2);
        assertThat(answer.outcome().failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 2", "attempt 1");
      }
      Scenario.awaitCounted(
          command,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.HEDGE,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void givenUp_whileItWaits_isCancelled_andLeavesItsTokenToAnother(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      for (int i = 1; i <= 11; i++) { // the budget has ten
        HeldAttempts work = new HeldAttempts(scenario);
        Command<String, String> command = few(work);
        Caller caller = work.first(command);
        work.fail(1, failure(1));
        awaitWaiting(command);
        caller.giveUp();

        assertThat(caller.answer().error()).isNotNull();
        assertThat(Inside.waitingForRetry(command.view())).isZero();
        assertThat(Scenario.counted(command, EventType.CANCELLED)).isEqualTo(i);
        assertThat(Scenario.counted(command, EventType.RETRY_BUDGET_EXHAUSTED)).isZero();
        assertThat(Scenario.counted(command, EventType.RETRY)).isZero();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeable")
  void closing_endsACallThatWaits(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.first(command);
      work.fail(1, failure(1));
      awaitWaiting(command);
      scenario.closeAtOnce();

      assertThat(caller.answer().error()).isNotNull();
      assertThat(Inside.waitingForRetry(command.view())).isZero();
      Scenario.assertCounted(command, EventType.FAILURE, EventType.CANCELLED);
    }
  }

  /** While it waits, another call has the only thread. */
  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void waiting_holdsNoPermit(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command().isolation(way.isolation(1)).retry(RETRY).build();
      Caller caller = work.first(command);
      work.fail(1, failure(1));
      awaitWaiting(command);
      Scenario.await().until(() -> command.view().concurrency() == 0);
      scenario.time.advance(WAIT);
      work.awaitBegun(2);
      work.answer(2).complete("2");

      assertThat(caller.answer().value()).isEqualTo("x2");
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void switchedOff_eitherLeavesTheOther(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      scenario.tenrec.set("tenrec.command.Subject.hedge.enabled", "false");
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.first(command);
      scenario.time.advance(DELAY);
      work.answer(1).completeExceptionally(failure(1));
      awaitWaiting(command);
      scenario.time.advance(WAIT);
      work.awaitBegun(2);
      work.answer(2).complete("2");

      assertThat(caller.answer().value()).isEqualTo("x2");
      Scenario.assertCounted(command, EventType.FAILURE, EventType.RETRY, EventType.SUCCESS);
    }
    try (Scenario scenario = new Scenario(way, door)) {
      scenario.tenrec.set("tenrec.command.Subject.retry.enabled", "false");
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.both(command);
      work.fail(1, failure(1));
      work.answer(2).completeExceptionally(failure(2));

      assertThat(caller.answer().error()).hasMessage("attempt 2");
      assertThat(Scenario.counted(command, EventType.RETRY)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void hedge_dueWhileTheNextRoundIsWaitedFor_doesNotBegin(Way way, Door door) throws Exception {
    List<Integer> hedges = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onHedge(ListenedCall call, int attempt) {
            hedges.add(attempt);
          }
        };
    Duration twice = DELAY.multipliedBy(2);
    Retry slow = Retry.attempts(4).backoff(twice, twice).jitter(Jitter.NONE).budget(100, 100);
    try (Scenario scenario = new Scenario(way, door, Tenrec.builder().listen(listener))) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(slow).build();
      Caller caller = work.first(command);
      work.fail(1, failure(1));
      awaitWaiting(command);
      CallbackShare share = Inside.runtime(command.view()).callbacks();
      long before = share.begun();
      scenario.time.advance(DELAY); // now the hedge of the attempt that failed would be due
      Scenario.await().until(() -> share.begun() > before);
      scenario.time.advance(DELAY);
      work.awaitBegun(2);
      work.answer(2).complete("2");
      assertThat(caller.answer().value()).isEqualTo("x2");
      Scenario.awaitCounted(command, EventType.FAILURE, EventType.RETRY, EventType.SUCCESS);
      assertThat(hedges).isEmpty();
    }
  }

  /** Threads of the command's share that do not come back hold up no caller that waits. */
  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void nextRound_ofACallerThatWaits_needsNoThreadOfTheShare(Way way, Door door) throws Exception {
    if (door != Door.ATTEMPT) {
      return; // of the others the share begins it
    }
    CountDownLatch over = new CountDownLatch(1);
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command =
          work.command().retry(RETRY).property("retry.attemptTimeoutInMilliseconds", "40").build();
      CallbackShare share = Inside.runtime(command.view()).callbacks();
      for (int i = 0; i < 200; i++) { // more than a share has threads
        share.execute(CallbackTask.of(() -> awaitHere(over)));
      }
      Scenario.await().until(() -> share.waiting() > 0 && share.isBlocked());
      Caller caller = work.first(command);
      scenario.time.advance(Duration.ofMillis(40));
      awaitWaiting(command);
      scenario.time.advance(WAIT);
      work.awaitBegun(2);
      work.answer(2).complete("2");
      assertThat(caller.answer().value()).isEqualTo("x2");
      over.countDown();
    } finally {
      over.countDown();
    }
  }

  private static void awaitHere(CountDownLatch over) {
    try {
      over.await();
    } catch (InterruptedException e) { // closing is done with it
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void listeners_areNotifiedOfHedgesAndOfRetries(Way way, Door door) throws Exception {
    List<String> steps = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onAttempt(ListenedCall call, int attempt, Throwable failure) {
            steps.add("attempt " + attempt + " after " + failure.getMessage());
          }

          @Override
          public void onHedge(ListenedCall call, int attempt) {
            steps.add("hedge " + attempt);
          }
        };
    try (Scenario scenario = new Scenario(way, door, Tenrec.builder().listen(listener))) {
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.both(command);
      work.fail(1, failure(1));
      nextRound(scenario, work, command, 2, WAIT);
      scenario.time.advance(DELAY);
      work.awaitBegun(4);
      work.answer(3).complete("3");

      assertThat(caller.answer().value()).isEqualTo("x3");
      assertThat(steps).containsExactly("hedge 2", "attempt 3 after attempt 2", "hedge 4");
    }
  }

  /** A caller that waits is its own timer. */
  @ParameterizedTest
  @MethodSource("hedgeableInBrief")
  void hedge_thatIsSwitchedOff_leavesACallerThatWaitsWithoutTheTimer(Way way, Door door)
      throws Exception {
    if (!door.callerWaits()) {
      return; // the timer has its deadline
    }
    try (Scenario scenario = new Scenario(way, door)) {
      scenario.tenrec.set("tenrec.command.Subject.hedge.enabled", "false");
      HeldAttempts work = new HeldAttempts(scenario);
      Command<String, String> command = work.command().retry(RETRY).build();
      Caller caller = work.first(command);

      assertThat(Inside.pendingTimeouts(Inside.runtime(command.view()))).isZero();
      work.answer(1).complete("1");

      assertThat(caller.answer().value()).isEqualTo("x1");
    }
  }

  /** Where no hedge can begin beside it. */
  @ParameterizedTest
  @EnumSource
  void refusal_onTheCallersOwnThread_isRetriedIfAsked(Door door) throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, door)) {
      Command<String, String> command =
          scenario
              .command(argument -> argument)
              .hedge(Hedge.after(DELAY))
              .property("circuitBreaker.forceOpen", "true")
              .retry(Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO).onRefusals())
              .build();
      scenario.tenrec.set("tenrec.command.Subject.execution.isolation.strategy", "SEMAPHORE");

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CircuitOpenException.class);
      assertThat(Scenario.counted(command, EventType.SHORT_CIRCUITED)).isEqualTo(2);
      assertThat(Scenario.counted(command, EventType.RETRY)).isOne();
    }
  }
}
