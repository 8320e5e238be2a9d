// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.FailedResultException;
import dev.tenrec.core.outcome.NoFallback;
import dev.tenrec.core.work.Call;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Waiter;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which calls are attempted again, and when, by the manual clock; that every attempt is counted for
 * its cause and every call for its answer is checked when each scenario ends.
 */
class RetryTest {

  /** Without lots: 10 ms, then 20, then 40. */
  private static final Retry EXACT =
      Retry.attempts(3).backoff(Duration.ofMillis(10), Duration.ofMillis(40)).jitter(Jitter.NONE);

  private static final long SHORTEST_MILLIS = 10;

  /** The longest wait for an attempt here. */
  private static final long LONGEST_MILLIS = 100;

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

  /**
   * Time goes on a millisecond at a time, as long as the call waits for its next attempt; not so
   * far that a thread which begins that late finds the call's time over, or passes for lost.
   */
  private static Answer toTheEnd(Scenario scenario, Command<String, String> command)
      throws Exception {
    return toTheEnd(scenario, command, () -> true);
  }

  /** The same, but no further than to where nothing is due, before the next attempt may come. */
  private static Answer toTheEnd(
      Scenario scenario, Command<String, String> command, BooleanSupplier mayCome)
      throws Exception {
    Caller caller = scenario.start(command, "x");
    AtomicLong begun = new AtomicLong();
    AtomicInteger passed = new AtomicInteger();
    Scenario.await()
        .until(
            () -> {
              long retries = command.view().cumulativeCount(EventType.RETRY);
              if (begun.getAndSet(retries) != retries) {
                passed.set(0); // that was another wait
              }
              long most = mayCome.getAsBoolean() ? LONGEST_MILLIS : SHORTEST_MILLIS / 2;
              if (Inside.waitingForRetry(command.view()) > 0 && passed.get() < most) {
                passed.incrementAndGet();
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
      if (answer.outcome() != null) {
        assertThat(answer.outcome().failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 1", "attempt 2", "attempt 3");
      }
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
      List<Thread> workers = new CopyOnWriteArrayList<>();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    workers.add(Thread.currentThread());
                    return work.run(argument);
                  })
              .retry(EXACT)
              .fallbackValue("never")
              .build();

      Caller caller = scenario.start(command, "x");
      Scenario.await().until(() -> command.view().cumulativeCount(EventType.FAILURE) == 1);
      Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
      if (way.isAway()) { // it is among those that wait just before another attempt may follow
        scenario.awaitLeft(workers.get(0));
      }
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
      scenario.time.advanceMillis(2); // the first failure looks at the health, and not the timer

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
      scenario.closeAtOnce();

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
      scenario.time.advanceMillis(2); // the first failure looks at the health, and not the timer
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

  private static final Retry AT_ONCE = Retry.attempts(3).backoff(Duration.ZERO, Duration.ZERO);

  static Stream<Arguments> inBrief() {
    return Scenario.combined(Way.all(), List.of(Door.ATTEMPT, Door.ATTEMPT_ASYNC));
  }

  static Stream<Arguments> waiting() {
    return Scenario.combined(Way.all(), Door.waiting());
  }

  @ParameterizedTest
  @MethodSource("inBrief")
  void budget_thatItsOwnRetriesHaveUsedUp_endsTheCallWithTheLastFailure(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(new Flaky(scenario, 99))
              .withoutCircuitBreaker()
              .retry(Retry.attempts(12).backoff(Duration.ZERO, Duration.ZERO).budget(0, 1))
              .build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.error()).hasMessage("attempt 11");
      assertThat(Scenario.counted(command, EventType.RETRY)).isEqualTo(10);
      assertThat(Scenario.counted(command, EventType.RETRY_BUDGET_EXHAUSTED)).isOne();
      assertThat(answer.outcome().has(EventType.RETRY_BUDGET_EXHAUSTED)).isTrue();
      assertThat(answer.outcome().attempts()).isEqualTo(11);
      assertThat(answer.outcome().failedAttempts()).hasSize(11);
    }
  }

  @ParameterizedTest
  @MethodSource("waiting")
  void givenUp_whileItWaitsForItsThirdAttempt_hasTheEventsOfBoth(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 9);
      Command<String, String> command = scenario.command(work).retry(EXACT).build();
      Caller caller = scenario.start(command, "x");
      Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
      scenario.time.advanceMillis(10);
      Scenario.await()
          .until(() -> work.beganMillis.size() == 2 && Inside.waitingForRetry(command.view()) == 1);

      Answer answer = caller.giveUp().answer();

      assertThat(answer.error()).isNotNull();
      Scenario.awaitCounted(
          command, EventType.FAILURE, EventType.FAILURE, EventType.RETRY, EventType.CANCELLED);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().events())
            .containsExactlyInAnyOrder(EventType.FAILURE, EventType.RETRY, EventType.CANCELLED);
        assertThat(answer.outcome().failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 1", "attempt 2");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("inBrief")
  void givenUp_duringAFurtherAttempt_takesThatBack(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      HeldAttempts work = new HeldAttempts(scenario);
      CommandBuilder<String, String> builder =
          way == Way.STAGE
              ? scenario.tenrec.asyncCommand("Subject", work::start)
              : scenario.tenrec.command("Subject", work::run);
      Command<String, String> command =
          builder
              .isolation(way.isolation())
              .timeout(Scenario.TIMEOUT)
              .property("execution.isolation.thread.interruptOnFutureCancel", "true")
              .retry(EXACT)
              .build();
      Caller caller = work.first(command);
      work.answer(1).completeExceptionally(new IOException("attempt 1"));
      Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);
      scenario.time.advanceMillis(10);
      work.awaitBegun(2);
      assertThat(Inside.waitingForRetry(command.view())).isZero();

      Answer answer = caller.giveUp().answer();

      work.awaitGone(2);
      assertThat(answer.error()).isNotNull();
      Scenario.awaitCounted(command, EventType.FAILURE, EventType.RETRY, EventType.CANCELLED);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().failedAttempts())
            .extracting(Throwable::getMessage)
            .containsExactly("attempt 1");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("inBrief")
  void badRequest_isNotRetried_whereRefusalsAre(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    throw new BadRequestException("bad");
                  })
              .retry(AT_ONCE.onRefusals())
              .build();

      assertThat(scenario.call(command, "x").error()).isInstanceOf(BadRequestException.class);
      Scenario.assertCounted(command, EventType.BAD_REQUEST, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("inBrief")
  void refusalByTheRate_isRetriedOnlyIfAsked(Way way, Door door) throws Exception {
    for (boolean asked : new boolean[] {true, false}) {
      try (Scenario scenario = new Scenario(way, door)) {
        Command<String, String> command =
            scenario
                .command(argument -> argument)
                .rateLimit(1, Duration.ofSeconds(10), 1)
                .retry(asked ? AT_ONCE.onRefusals() : AT_ONCE)
                .build();
        assertThat(scenario.call(command, "x").value()).isEqualTo("x");

        assertThat(scenario.call(command, "x").error())
            .isInstanceOf(CommandRejectedException.class);
        assertThat(Scenario.counted(command, EventType.RATE_LIMITED)).isEqualTo(asked ? 3 : 1);
      }
    }
  }

  /** The work called another command, whose gates said no. */
  @ParameterizedTest
  @MethodSource("inBrief")
  void refusalOfACommandThatTheWorkCalls_isRetriedOnlyIfAsked(Way way, Door door) throws Exception {
    for (boolean asked : new boolean[] {true, false}) {
      for (boolean open : new boolean[] {true, false}) {
        try (Scenario scenario = new Scenario(way, door)) {
          Command<String, String> nested =
              scenario
                  .tenrec
                  .command("Nested", (String argument) -> argument)
                  .isolation(Isolation.semaphore(open ? 1 : 0))
                  .property("circuitBreaker.forceOpen", Boolean.toString(open))
                  .build();
          Command<String, String> command =
              scenario
                  .command(nested::execute)
                  .retry(asked ? AT_ONCE.onRefusals() : AT_ONCE)
                  .build();

          assertThat(scenario.call(command, "x").error())
              .isInstanceOf(open ? CircuitOpenException.class : CommandRejectedException.class);
          assertThat(Scenario.counted(command, EventType.FAILURE)).isEqualTo(asked ? 3 : 1);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("inBrief")
  void attempt_thatIsDueAtTheDeadline_isNotWaitedFor(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advance(Scenario.TIMEOUT.minusMillis(10));
                    throw new IOException("late");
                  })
              .retry(EXACT.howeverLittleTimeIsLeft())
              .build();
      Caller caller = scenario.start(command, "x");
      Scenario.await()
          .until(() -> caller.isAnswered() || Inside.waitingForRetry(command.view()) > 0);

      assertThat(Inside.waitingForRetry(command.view())).isZero();
      assertThat(caller.answer().error()).hasMessage("late");
    }
  }

  @ParameterizedTest
  @MethodSource("inBrief")
  void executionLatency_isThatOfTheLastAttempt(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger attempts = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    scenario.time.advanceMillis(10L * attempts.incrementAndGet());
                    if (attempts.get() < 3) {
                      throw new IOException("again");
                    }
                    return argument;
                  })
              .retry(AT_ONCE)
              .build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.value()).isEqualTo("x");
      assertThat(answer.outcome().executionLatency()).isEqualTo(Duration.ofMillis(30));
      assertThat(answer.outcome().callerLatency()).isEqualTo(Duration.ofMillis(60));
    }
  }

  @ParameterizedTest
  @MethodSource("waiting")
  void caller_sleepsUntilTheNextAttemptIsDue(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Flaky work = new Flaky(scenario, 1);
      Command<String, String> command = scenario.command(work).retry(EXACT).build();
      Caller caller = scenario.start(command, "x");
      Scenario.await().until(() -> Inside.waitingForRetry(command.view()) == 1);

      caller.awaitWaiting();
      scenario.time.advanceMillis(10);

      assertThat(caller.answer().value()).isEqualTo("x2");
    }
  }

  /** A refusal by our own gates says less than what an attempt with a time-out failed with. */
  @ParameterizedTest
  @MethodSource("inBrief")
  void refusal_afterAnAttemptWithATimeOut_keepsTheWorksFailure(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = openedByAFailure(scenario.command(new Flaky(scenario, 9)));

      assertThat(toTheRefusal(scenario, command).error()).hasMessage("attempt 1");
      assertThat(Scenario.counted(command, EventType.SHORT_CIRCUITED)).isOne();
    }
  }

  @ParameterizedTest
  @MethodSource("inBrief")
  void refusal_afterAnAttemptThatTookTooLong_keepsTheTimeOut(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger attempts = new AtomicInteger();
      Command<String, String> command =
          openedByAFailure(
              scenario.command(
                  argument -> {
                    scenario.time.advanceMillis(attempts.incrementAndGet() == 1 ? 100 : 0);
                    return "late";
                  }));

      assertThat(toTheRefusal(scenario, command).error())
          .isInstanceOf(CommandTimeoutException.class);
      assertThat(Scenario.counted(command, EventType.SHORT_CIRCUITED)).isOne();
      assertThat(attempts).hasValue(1);
    }
  }

  /** The timer's thread may be the one that opens the circuit: its turn comes first. */
  private static Answer toTheRefusal(Scenario scenario, Command<String, String> command)
      throws Exception {
    return toTheEnd(scenario, command, () -> command.view().circuitState() == CircuitState.OPEN);
  }

  private static Command<String, String> openedByAFailure(CommandBuilder<String, String> builder) {
    return builder
        .retry(EXACT.attemptTimeout(Duration.ofMillis(100)))
        .errorThreshold(1, 1)
        .property("metrics.healthSnapshot.intervalInMilliseconds", "1")
        .build();
  }

  /** The attempt that the timer is to begin may need the very permit of the one before it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void timer_thatIsWokenForTheNextAttempt_findsThePermitFree(boolean hedged) throws Exception {
    ManualTime time = new ManualTime();
    AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
    AtomicReference<@Nullable CommandView> view = new AtomicReference<>();
    List<Integer> inUse = new CopyOnWriteArrayList<>();
    Waiter waiter =
        new Waiter() {
          @Override
          public void awaitUntil(long deadlineNanos) {
            time.awaitUntil(deadlineNanos);
          }

          @Override
          public void wake(Thread thread) {
            if (Thread.currentThread() == worker.get()) {
              inUse.add(Objects.requireNonNull(view.get()).concurrency());
            }
            time.wake(thread);
          }
        };
    Tenrec tenrec = Tenrec.builder().time(time, waiter).build();
    try {
      CommandBuilder<String, String> builder =
          tenrec
              .<String, String>command(
                  "Subject",
                  (String argument) -> {
                    awaitTimerAsleep(time); // else it needs nobody to wake it
                    worker.set(Thread.currentThread());
                    throw new IOException("down");
                  })
              .isolation(Isolation.threadPool().coreSize(1))
              .timeout(Duration.ofHours(1))
              .withoutCircuitBreaker()
              .retry(
                  Retry.attempts(3)
                      .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
                      .jitter(Jitter.NONE));
      Command<String, String> command =
          (hedged ? builder.hedge(Hedge.after(Duration.ofHours(1))) : builder).build();
      view.set(command.view());
      CompletableFuture<String> call = command.executeAsync("x");
      for (int attempt = 1; attempt < 3; attempt++) {
        Scenario.await().until(() -> worker.get() != null);
        Scenario.await()
            .until(
                () ->
                    Inside.waitingForRetry(command.view()) == 1
                        && command.view().concurrency() == 0);
        worker.set(null); // from now on it wakes whom it likes
        time.advanceMillis(1);
      }

      assertThat(call).failsWithin(PatientWaits.patience());
      assertThat(inUse).allMatch(permits -> permits == 0);
    } finally {
      Elsewhere.close(tenrec, time);
    }
  }

  private static void awaitTimerAsleep(ManualTime time) {
    Scenario.await()
        .until(
            () ->
                time.waiting().stream()
                    .anyMatch(thread -> thread.getName().startsWith("tenrec-timer-")));
  }
}
