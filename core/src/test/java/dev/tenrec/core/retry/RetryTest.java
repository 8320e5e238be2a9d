// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.FailedResultException;
import dev.tenrec.core.outcome.NoFallback;
import dev.tenrec.core.work.Call;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which calls are attempted again, and when, by the manual clock; that every attempt is counted for
 * its cause and every call for its answer is checked when each scenario ends.
 */
@Timeout(900)
class RetryTest {

  /** Without lots: 10 ms, then 20, then 40. */
  private static final Retry EXACT =
      Retry.attempts(3).backoff(Duration.ofMillis(10), Duration.ofMillis(40)).jitter(Jitter.NONE);

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  /** Fails so often, then answers. */
  private static final class Flaky implements Work<String, String> {

    private final Scenario scenario;
    private final int failures;
    final List<Long> beganMillis = new CopyOnWriteArrayList<>();

    Flaky(Scenario scenario, int failures) {
      this.scenario = scenario;
      this.failures = failures;
    }

    @Override
    public String run(String argument) throws Exception {
      beganMillis.add(Duration.ofNanos(scenario.time.nanoTime()).toMillis());
      int attempt = beganMillis.size();
      if (attempt <= failures) {
        throw new IOException("attempt " + attempt);
      }
      return argument + attempt;
    }
  }

  /** Time goes on a millisecond at a time, as long as the call waits for its next attempt. */
  private static Answer toTheEnd(Scenario scenario, Command<String, String> command)
      throws Exception {
    Caller caller = scenario.start(command, "x");
    Scenario.await()
        .until(
            () -> {
              if (Inside.waitingForRetry(command.view()) > 0) {
                scenario.time.advanceMillis(1);
              }
              return caller.isAnswered();
            });
    return caller.answer();
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failures_thenASuccess_answersWithThat(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 2);
      Command<String, String> command = scenario.command(work).retry(EXACT).build();

      Answer answer = toTheEnd(scenario, command);

      assertThat(answer.value()).isEqualTo("x3");
      assertThat(answer.error()).isNull();
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.SUCCESS,
          EventType.RETRY,
          EventType.RETRY);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().events())
            .containsExactly(EventType.SUCCESS, EventType.FAILURE, EventType.RETRY);
        assertThat(answer.outcome().cause()).isNull();
        assertThat(answer.outcome().attempts()).isEqualTo(3);
        assertThat(answer.outcome().failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 1", "attempt 2");
        assertThat(answer.outcome().explain()).contains("attempted 3 times");
      }
      assertThat(work.beganMillis.get(1) - work.beganMillis.get(0)).isGreaterThanOrEqualTo(10);
      assertThat(work.beganMillis.get(2) - work.beganMillis.get(1)).isGreaterThanOrEqualTo(20);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failure_thatSaysWhenToComeAgain_isObeyed(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 2);
      Command<String, String> command =
          scenario
              .command(work)
              .retry(
                  EXACT.notBefore(
                      thrown ->
                          // the second says less than the delay before the third attempt
                          Duration.ofMillis("attempt 1".equals(thrown.getMessage()) ? 100 : 1)))
              .build();

      assertThat(toTheEnd(scenario, command).value()).isEqualTo("x3");
      assertThat(work.beganMillis.get(1) - work.beganMillis.get(0)).isGreaterThanOrEqualTo(100);
      assertThat(work.beganMillis.get(2) - work.beganMillis.get(1)).isGreaterThanOrEqualTo(20);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failure_thatSaysToComeAfterTheDeadline_isTheAnswer(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 2);
      Command<String, String> command =
          scenario
              .command(work)
              .retry(EXACT.notBefore(thrown -> Duration.ofSeconds(Long.MAX_VALUE)))
              .build();

      assertThat(scenario.call(command, "x").error()).hasMessage("attempt 1");
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void hint_thatThrowsOrSaysNothing_leavesTheDelay(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 2);
      Command<String, String> command =
          scenario
              .command(work)
              .retry(
                  EXACT.notBefore(
                      thrown -> {
                        if ("attempt 1".equals(thrown.getMessage())) {
                          throw new IllegalStateException("of the hint");
                        }
                        return null;
                      }))
              .build();

      assertThat(toTheEnd(scenario, command).value()).isEqualTo("x3");
      assertThat(work.beganMillis.get(1) - work.beganMillis.get(0)).isGreaterThanOrEqualTo(10);
      assertThat(work.beganMillis.get(2) - work.beganMillis.get(1)).isGreaterThanOrEqualTo(20);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void success_atOnce_isNotRetried(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.command(new Flaky(scenario, 0)).retry(EXACT).build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("x1");
      Scenario.assertCounted(command, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void lastFailure_isTheCallers(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.command(new Flaky(scenario, 9)).retry(EXACT).build();

      Answer answer = toTheEnd(scenario, command);

      assertThat(answer.error()).isInstanceOf(IOException.class).hasMessage("attempt 3");
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN,
          EventType.RETRY,
          EventType.RETRY);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void fallback_comesAfterTheLastAttempt(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      List<String> causes = new CopyOnWriteArrayList<>();
      Command<String, String> command =
          scenario
              .command(new Flaky(scenario, 9))
              .retry(EXACT)
              .fallback(
                  (argument, cause) -> {
                    causes.add(String.valueOf(cause.getMessage()));
                    return "instead of " + argument;
                  })
              .build();

      assertThat(toTheEnd(scenario, command).value()).isEqualTo("instead of x");
      assertThat(causes).containsExactly("attempt 3");
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.FAILURE,
          EventType.FALLBACK_SUCCESS,
          EventType.RETRY,
          EventType.RETRY);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void badRequest_isNotRetried_norAfterAFailure(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger attempts = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    if (attempts.incrementAndGet() == 1) {
                      throw new IOException("first");
                    }
                    throw new BadRequestException("second");
                  })
              .retry(EXACT)
              .fallbackValue("never")
              .build();

      assertThat(toTheEnd(scenario, command).error()).isInstanceOf(BadRequestException.class);
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.BAD_REQUEST,
          EventType.EXCEPTION_THROWN,
          EventType.RETRY);
    }
  }

  @ParameterizedTest
  @MethodSource("neverRetried")
  void failure_thatIsNoneOfTheDependency_isNotRetried(Throwable thrown) throws Exception {
    try (Scenario scenario = new Scenario(Way.POOL, Door.EXECUTE)) {
      AtomicInteger attempts = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    attempts.incrementAndGet();
                    if (thrown instanceof Error error) {
                      throw error;
                    }
                    throw (Exception) thrown;
                  })
              .retry(EXACT)
              .build();

      assertThat(scenario.call(command, "x").error()).isSameAs(thrown);
      assertThat(attempts).hasValue(1);
    }
  }

  /** Marked to be nothing that a fallback may hide. */
  private static final class Unhidden extends Exception implements NoFallback {
    private static final long serialVersionUID = 1L;
  }

  static Stream<Throwable> neverRetried() {
    return Stream.of(
        new BadRequestException("the caller's"),
        new CancellationException("cancelled below"),
        new InterruptedException("of another thread"),
        new StackOverflowError("the JVM's"),
        new NoClassDefFoundError("the JVM's"),
        new Unhidden());
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void choice_byTypeAndPredicate_isAsked(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 9);
      Command<String, String> command =
          scenario
              .command(work)
              .retry(EXACT.onlyIf(thrown -> "attempt 1".equals(thrown.getMessage())))
              .build();

      assertThat(toTheEnd(scenario, command).error()).hasMessage("attempt 2");
      assertThat(work.beganMillis).hasSize(2);
    }
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 9);
      Command<String, String> command =
          scenario.command(work).retry(EXACT.on(IllegalStateException.class)).build();

      assertThat(scenario.call(command, "x").error()).hasMessage("attempt 1");
      assertThat(work.beganMillis).hasSize(1);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void predicate_thatThrows_endsWithTheFailure(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 9);
      Command<String, String> command =
          scenario
              .command(work)
              .retry(
                  EXACT.onlyIf(
                      thrown -> {
                        throw new IllegalStateException("predicate");
                      }))
              .build();

      assertThat(scenario.call(command, "x").error()).hasMessage("attempt 1");
      assertThat(work.beganMillis).hasSize(1);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void resultThatCountsAsAFailure_isRetried(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger attempts = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(argument -> argument + attempts.incrementAndGet())
              .failIf(result -> !result.equals("x3"))
              .retry(EXACT.on(FailedResultException.class))
              .build();

      assertThat(toTheEnd(scenario, command).value()).isEqualTo("x3");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void attempt_thatTheDeadlineLeavesNoTimeFor_isNotBegun(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger attempts = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    attempts.incrementAndGet();
                    scenario.time.advance(Scenario.TIMEOUT.minusMillis(10)); // due at its deadline
                    throw new IOException("late");
                  })
              .retry(EXACT)
              .build();

      assertThat(scenario.call(command, "x").error()).hasMessage("late");
      assertThat(attempts).hasValue(1);
      Scenario.assertCounted(
          command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void deadline_duringAFurtherAttempt_isATimeoutOfTheCall(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger attempts = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    if (attempts.incrementAndGet() == 1) {
                      throw new IOException("first");
                    }
                    scenario.time.advance(Scenario.TIMEOUT);
                    return way.isAway() ? scenario.release.get() : "late";
                  })
              .retry(EXACT)
              .build();

      Throwable error = toTheEnd(scenario, command).error();

      assertThat(error).isInstanceOf(CommandTimeoutException.class);
      Scenario.awaitCounted(
          command,
          EventType.FAILURE,
          EventType.TIMEOUT,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN,
          EventType.RETRY);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void waiting_holdsNoPermit(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 1);
      Command<String, String> command = scenario.command(work).retry(EXACT).build();

      Caller caller = scenario.start(command, "x");
      Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
      Scenario.await().until(() -> command.view().concurrency() == 0);
      assertThat(caller.isAnswered()).isFalse();
      scenario.time.advanceMillis(10);

      assertThat(caller.answer().value()).isEqualTo("x2");
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void givenUp_whileItWaits_isCancelled_andNotAttemptedAgain(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 9);
      Command<String, String> command =
          scenario.command(work).retry(EXACT).fallbackValue("never").build();

      Caller caller = scenario.start(command, "x");
      Scenario.await().until(() -> command.view().cumulativeCount(EventType.FAILURE) == 1);
      Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
      caller.giveUp();

      assertThat(caller.answer().error()).isNotNull();
      scenario.time.advanceMillis(50);
      Scenario.assertCounted(command, EventType.FAILURE, EventType.CANCELLED);
      assertThat(work.beganMillis).hasSize(1);
      assertThat(Inside.waitingForRetry(command.view())).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void refusal_ofAFurtherAttempt_keepsTheWorksFailure(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 9);
      Command<String, String> command =
          scenario
              .command(work)
              .retry(EXACT)
              .errorThreshold(1, 1)
              .property("metrics.healthSnapshot.intervalInMilliseconds", "1")
              .build();

      Answer answer = toTheEnd(scenario, command);

      assertThat(answer.error()).isInstanceOf(IOException.class).hasMessage("attempt 1");
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.SHORT_CIRCUITED,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN,
          EventType.RETRY);
      assertThat(work.beganMillis).hasSize(1);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void emptyBudget_answersWithTheFirstFailure(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 9);
      Command<String, String> command = scenario.command(work).retry(EXACT.budget(0, 0)).build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.error()).hasMessage("attempt 1");
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.FALLBACK_MISSING,
          EventType.EXCEPTION_THROWN,
          EventType.RETRY_BUDGET_EXHAUSTED);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().has(EventType.RETRY_BUDGET_EXHAUSTED)).isTrue();
        assertThat(answer.outcome().attempts()).isOne();
        assertThat(answer.outcome().failedAttempts())
            .singleElement()
            .isSameAs(answer.outcome().cause());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void closing_endsACallThatWaits(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 9);
      Command<String, String> command =
          scenario.command(work).retry(EXACT).fallbackValue("never").build();

      Caller caller = scenario.start(command, "x");
      Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
      scenario.tenrec.close(Duration.ZERO);

      assertThat(caller.answer().error()).isInstanceOf(CancellationException.class);
      assertThat(work.beganMillis).hasSize(1);
      Scenario.assertCounted(command, EventType.FAILURE, EventType.CANCELLED);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void work_seesWhichAttemptItIs_andTheTimeThatIsLeftOfTheCall(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      List<Integer> attempts = new CopyOnWriteArrayList<>();
      List<Duration> remaining = new CopyOnWriteArrayList<>();
      CommandBuilder<String, String> builder =
          way == Way.STAGE
              ? scenario.tenrec.asyncCommand(
                  "Subject",
                  (String argument, Call call) -> {
                    attempts.add(call.attempt());
                    remaining.add(call.remaining());
                    return call.attempt() < 3
                        ? CompletableFuture.failedFuture(new IOException("again"))
                        : CompletableFuture.completedFuture(argument);
                  })
              : scenario.tenrec.command(
                  "Subject",
                  (String argument, Call call) -> {
                    attempts.add(call.attempt());
                    remaining.add(call.remaining());
                    if (call.attempt() < 3) {
                      throw new IOException("again");
                    }
                    return argument;
                  });
      Command<String, String> command =
          builder.isolation(way.isolation()).timeout(Scenario.TIMEOUT).retry(EXACT).build();

      assertThat(toTheEnd(scenario, command).value()).isEqualTo("x");
      assertThat(attempts).containsExactly(1, 2, 3);
      assertThat(remaining.get(0))
          .isLessThanOrEqualTo(Scenario.TIMEOUT)
          .isGreaterThanOrEqualTo(remaining.get(1).plusMillis(10)); // the first wait
      assertThat(remaining.get(1)).isLessThanOrEqualTo(Scenario.TIMEOUT.minusMillis(10));
      assertThat(remaining.get(2)).isLessThanOrEqualTo(Scenario.TIMEOUT.minusMillis(30));
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failedTrial_ofAHalfOpenCircuit_isNotRetried(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 9);
      Command<String, String> command =
          scenario
              .command(work)
              .retry(EXACT.budget(100, 1_000))
              .errorThreshold(1, 1)
              .sleepWindow(Duration.ofSeconds(5))
              .property("metrics.healthSnapshot.intervalInMilliseconds", "1")
              .build();
      toTheEnd(scenario, command);
      assertThat(work.beganMillis).hasSize(1); // the second attempt found the circuit open
      scenario.time.advance(Duration.ofSeconds(6));

      Answer answer = scenario.call(command, "x");

      assertThat(answer.error()).hasMessage("attempt 2");
      assertThat(work.beganMillis).hasSize(2);
      assertThat(command.view().cumulativeCount(EventType.RETRY)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void refusal_isRetriedOnlyIfAsked(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.rejected().retry(EXACT).build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(CommandRejectedException.class);
      Scenario.assertCounted(
          command, way.rejection(), EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.rejected().retry(EXACT.onRefusals()).fallbackValue("instead").build();

      assertThat(toTheEnd(scenario, command).value()).isEqualTo("instead");
      Scenario.assertCounted(
          command,
          way.rejection(),
          way.rejection(),
          way.rejection(),
          EventType.FALLBACK_SUCCESS,
          EventType.RETRY,
          EventType.RETRY);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void attempt_thatUsuallyTakesLonger_isNotBegun_unlessConfiguredTo(Way way, Door door)
      throws Exception {
    for (boolean whatever : new boolean[] {false, true}) {
      try (Scenario scenario = new Scenario(way, door)) {
        AtomicInteger attempts = new AtomicInteger();
        Retry retry = whatever ? EXACT.howeverLittleTimeIsLeft() : EXACT;
        Command<String, String> command =
            scenario
                .command(
                    argument -> {
                      if (attempts.incrementAndGet() > 1) {
                        return "in time";
                      }
                      scenario.time.advance(Duration.ofMillis(600)); // half of them take as long
                      throw new IOException("slow");
                    })
                .retry(retry)
                .build();

        Answer answer = toTheEnd(scenario, command);

        assertThat(attempts).hasValue(whatever ? 2 : 1);
        assertThat(answer.value()).isEqualTo(whatever ? "in time" : null);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void callsThatShareARun_shareItsAttempts(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 1);
      Command<String, String> command =
          scenario.command(work).retry(EXACT).cacheKey(argument -> argument).build();
      RequestContext request = scenario.tenrec.openRequest();
      Thread ticking =
          new Thread(
              () -> {
                while (!Thread.currentThread().isInterrupted() && work.beganMillis.size() < 2) {
                  Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
                  scenario.time.advanceMillis(10);
                  Scenario.await().until(() -> work.beganMillis.size() == 2);
                }
              });
      ticking.start();
      try {
        assertThat(scenario.call(command, "x").value()).isEqualTo("x2");
        assertThat(door.call(command, "x", cancel -> {}).value()).isEqualTo("x2");
      } finally {
        request.close();
        ticking.join();
      }
      Scenario.assertCounted(
          command,
          EventType.FAILURE,
          EventType.SUCCESS,
          EventType.RETRY,
          EventType.RESPONSE_FROM_CACHE);
      assertThat(work.beganMillis).hasSize(2);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void listeners_areNotifiedOfTheWorkOfEachAttempt_andOfOneCall(Way way, Door door)
      throws Exception {
    List<String> steps = new CopyOnWriteArrayList<>();
    CommandListener listener =
        new CommandListener() {
          @Override
          public void onStart(ListenedCall call) {
            steps.add("start");
          }

          @Override
          public void onThreadStart(ListenedCall call) {
            steps.add("thread");
          }

          @Override
          public void onWorkStart(ListenedCall call) {
            steps.add("work");
          }

          @Override
          public void onAttempt(ListenedCall call, int attempt, Throwable failure) {
            steps.add(attempt + " after " + failure.getMessage());
          }

          @Override
          public void onWorkError(ListenedCall call, Throwable error) {
            steps.add("error");
          }

          @Override
          public void onWorkSuccess(ListenedCall call, @Nullable Object value) {
            steps.add("value");
          }

          @Override
          public void onThreadEnd(ListenedCall call) {
            steps.add("left");
          }

          @Override
          public void onSuccess(ListenedCall call, @Nullable Object value) {
            steps.add("success");
          }

          @Override
          public void onError(ListenedCall call, Throwable error) {
            steps.add("failed");
          }
        };
    try (Scenario scenario = new Scenario(way, door, Unhurried.builder().listen(listener))) {
      Command<String, String> command =
          scenario.command(new Flaky(scenario, 2)).retry(EXACT).build();

      assertThat(toTheEnd(scenario, command).value()).isEqualTo("x3");

      Scenario.await().until(() -> steps.contains("success"));
      List<String> expected =
          way.isAway()
              ? List.of(
                  "start",
                  "thread",
                  "work",
                  "error",
                  "left",
                  "2 after attempt 1",
                  "thread",
                  "work",
                  "error",
                  "left",
                  "3 after attempt 2",
                  "thread",
                  "work",
                  "value",
                  "left",
                  "success")
              : List.of(
                  "start",
                  "work",
                  "error",
                  "2 after attempt 1",
                  "work",
                  "error",
                  "3 after attempt 2",
                  "work",
                  "value",
                  "success");
      assertThat(steps).containsExactlyElementsOf(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void explanation_saysWhatWasRetried_andWhatWasNot(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.command(new Flaky(scenario, 9)).retry(EXACT).build();
      toTheEnd(scenario, command);
      assertThat(command.view().explain()).contains("2 of these were further attempts");
    }
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario.command(new Flaky(scenario, 9)).retry(EXACT.budget(0, 0)).build();
      scenario.call(command, "x");
      assertThat(command.view().explain())
          .contains(
              "1 failures were not retried",
              "in force are retry.budgetPercent = 0 (set in code)"
                  + " and retry.budgetPerSecond = 0 (set in code).");
    }
  }

  /** Its further attempts are begun on a callback thread, which has no context of its own. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void context_ofTheCaller_isThatOfEachAttempt(Way way, Door door) throws Exception {
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
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    seen.add(tenant.get());
                    if (seen.size() < 3) {
                      throw new IOException("again");
                    }
                    return argument;
                  })
              .retry(Retry.attempts(3).backoff(Duration.ZERO, Duration.ZERO))
              .build();
      tenant.set("ours");
      try {
        assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      } finally {
        tenant.remove();
      }

      assertThat(seen).containsExactly("ours", "ours", "ours");
    }
  }
}
