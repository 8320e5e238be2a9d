// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Door;
import dev.tenrec.core.kit.Door.Answer;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Scenario.Caller;
import dev.tenrec.core.kit.Tenant;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.CommandTimeoutException.Limit;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attempts that have a time-out each, by the manual clock, every way and through every door. That
 * every attempt is counted once, and that permits and threads come back, is checked when each
 * scenario ends.
 */
class AttemptTimeoutTest {

  private static final Duration LIMIT = Scenario.TIMEOUT.dividedBy(10);

  /** At once: time goes on only where an attempt says so, however slow the threads are. */
  private static final Retry EXACT =
      Retry.attempts(3).backoff(Duration.ZERO, Duration.ZERO).attemptTimeout(LIMIT);

  static Stream<Arguments> everywhere() {
    return Scenario.everywhere();
  }

  /** Where the timer finds an attempt's time-out, and no thread of the caller's. */
  static Stream<Arguments> byTimer() {
    return Scenario.combined(Way.leavingCaller(), List.of(Door.ATTEMPT_ASYNC));
  }

  static Stream<Arguments> semaphore() {
    return Scenario.combined(List.of(Way.SEMAPHORE), List.of(Door.values()));
  }

  /** Attempts up to {@code late} take as long as one may; on other threads, until given up. */
  private static CommandBuilder<String, String> late(
      Scenario scenario, AtomicInteger begun, int late) {
    if (scenario.way == Way.STAGE) {
      return scenario
          .tenrec
          .asyncCommand(
              "Subject",
              (String argument) -> {
                int attempt = begun.incrementAndGet();
                if (attempt > late) {
                  return CompletableFuture.completedFuture(argument + attempt);
                }
                scenario.time.advance(LIMIT);
                return new CompletableFuture<String>();
              })
          .isolation(scenario.way.isolation())
          .timeout(Scenario.TIMEOUT);
    }
    return scenario.command(
        argument -> {
          int attempt = begun.incrementAndGet();
          if (attempt > late) {
            return argument + attempt;
          }
          scenario.time.advance(LIMIT);
          return scenario.way.isAway() ? scenario.release.get() : "late";
        });
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void attempt_thatTakesTooLong_isFollowedByAnother(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = late(scenario, new AtomicInteger(), 1).retry(EXACT).build();

      Answer answer = scenario.call(command, "x");

      assertThat(answer.value()).isEqualTo("x2");
      Scenario.assertCounted(command, EventType.TIMEOUT, EventType.RETRY, EventType.SUCCESS);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().attempts()).isEqualTo(2);
        assertThat(answer.outcome().events())
            .containsExactlyInAnyOrder(EventType.SUCCESS, EventType.TIMEOUT, EventType.RETRY);
        assertThat(answer.outcome().cause()).isNull();
        assertThat(answer.outcome().failedAttempts())
            .singleElement()
            .satisfies(AttemptTimeoutTest::isOfAnAttempt);
      }
    }
  }

  private static void isOfAnAttempt(Throwable error) {
    assertThat(error)
        .isInstanceOfSatisfying(
            CommandTimeoutException.class,
            late -> {
              assertThat(late.limit()).isEqualTo(Limit.ATTEMPT);
              assertThat(late.timeout()).isEqualTo(LIMIT);
              assertThat(late.workBegan()).isTrue();
            })
        .hasMessageContaining("the limit for this attempt is " + LIMIT.toMillis() + " ms")
        .hasMessageContaining(LIMIT.toMillis() + " ms had passed");
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void attempts_thatAllTakeTooLong_endTheCallAsATimeOut(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          late(scenario, new AtomicInteger(), 3)
              .retry(EXACT)
              .fallback((argument, cause) -> cause instanceof CommandTimeoutException ? "f" : "?")
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("f");
      Scenario.assertCounted(
          command,
          EventType.TIMEOUT,
          EventType.TIMEOUT,
          EventType.TIMEOUT,
          EventType.RETRY,
          EventType.RETRY,
          EventType.FALLBACK_SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void timeOut_thatIsNotToBeRetried_isTheAnswer(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command =
          late(scenario, new AtomicInteger(), 1).retry(EXACT.on(IOException.class)).build();

      Answer answer = scenario.call(command, "x");

      isOfAnAttempt(answer.error());
      Scenario.assertCounted(
          command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().attempts()).isOne();
        assertThat(answer.outcome().events())
            .containsExactlyInAnyOrder(
                EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void oneAttempt_isBoundedAsWell_andTheTimeIsTheCallsWhereThatIsLess(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = late(scenario, new AtomicInteger(), 3).retry(EXACT).build();
      scenario.tenrec.set("tenrec.command.Subject.retry.attempts", "1");
      isOfAnAttempt(scenario.call(command, "x").error());

      scenario.tenrec.set(
          "tenrec.command.Subject.execution.isolation.thread.timeoutInMilliseconds",
          Long.toString(LIMIT.toMillis()));
      scenario.tenrec.set("tenrec.command.Subject.retry.attempts", "3");

      assertThat(scenario.call(command, "x").error())
          .isInstanceOfSatisfying(
              CommandTimeoutException.class,
              late -> assertThat(late.limit()).isEqualTo(Limit.EXECUTION));
      assertThat(command.view().cumulativeCount(EventType.RETRY)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void failures_areRetriedAsWithoutIt(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      AtomicInteger begun = new AtomicInteger();
      Command<String, String> command =
          scenario
              .command(
                  argument -> {
                    if (begun.incrementAndGet() == 1) {
                      throw new IOException("first");
                    }
                    return argument;
                  })
              .retry(EXACT)
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      Scenario.assertCounted(command, EventType.FAILURE, EventType.RETRY, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void firstAttempt_thatItsGatesRefuse_isTheAnswer(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.rejected().retry(EXACT).build();

      Answer answer = scenario.call(command, "x");

      EventType refused =
          way == Way.POOL ? EventType.THREAD_POOL_REJECTED : EventType.SEMAPHORE_REJECTED;
      Scenario.assertCounted(
          command, refused, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
      if (answer.outcome() != null) {
        assertThat(answer.outcome().events()).contains(refused).doesNotContain(EventType.FAILURE);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void givenUp_whileAnAttemptRuns_isCancelledOnce(Way way, Door door) throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      Command<String, String> command = scenario.held().retry(EXACT).build();
      Caller caller = scenario.start(command, "x");
      scenario.begun.await();

      Throwable error = caller.giveUp().answer().error();

      assertThat(error)
          .isInstanceOfAny(CancellationException.class, CommandInterruptedException.class);
      assertThat(command.view().cumulativeCount(EventType.RETRY)).isZero();
      Scenario.awaitCounted(command, EventType.CANCELLED);
    }
  }

  @ParameterizedTest
  @MethodSource("byTimer")
  void predicate_thatDoesNotReturn_keepsNoCallBeyondItsDeadline(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch answer = new CountDownLatch(1);
      Command<String, String> command =
          late(scenario, new AtomicInteger(), 1)
              .retry(
                  EXACT.onlyIf(
                      thrown -> {
                        asked.countDown();
                        return awaits(answer);
                      }))
              .build();
      Caller caller = scenario.start(command, "x");
      asked.await();

      scenario.time.advance(Scenario.TIMEOUT);

      isOfAnAttempt(caller.answer().error());
      answer.countDown();
      Scenario.assertCounted(
          command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    }
  }

  @ParameterizedTest
  @MethodSource("byTimer")
  void closing_whileItIsDecidedWhetherAnotherFollows_endsTheCall(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch answer = new CountDownLatch(1);
      Command<String, String> command =
          late(scenario, new AtomicInteger(), 1)
              .retry(
                  EXACT.onlyIf(
                      thrown -> {
                        asked.countDown();
                        return awaits(answer);
                      }))
              .build();
      Caller caller = scenario.start(command, "x");
      asked.await();

      scenario.closeAtOnce();
      answer.countDown();

      assertThat(caller.answer().error()).isNotNull();
      assertThat(command.view().cumulativeCount(EventType.RETRY)).isZero();
    }
  }

  private static boolean awaits(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) { // by closing
      return false;
    }
  }

  /** The timer finds it, for its cancellers have to run; the caller's thread goes on. */
  @ParameterizedTest
  @MethodSource("semaphore")
  void workOnTheCallersThread_isCancelledByItsAttemptsTimeOut_andAttemptedAgain(Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CountDownLatch cancelled = new CountDownLatch(1);
      Command<String, String> command =
          scenario
              .tenrec
              .command(
                  "Subject",
                  (String argument, Call call) -> {
                    if (call.attempt() > 1) {
                      return argument + call.attempt();
                    }
                    call.onCancel(cancelled::countDown);
                    scenario.time.advance(LIMIT);
                    cancelled.await();
                    return "late";
                  })
              .isolation(way.isolation())
              .timeout(Scenario.TIMEOUT)
              .retry(EXACT)
              .build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("x2");
      Scenario.assertCounted(command, EventType.TIMEOUT, EventType.RETRY, EventType.SUCCESS);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void work_seesTheTimeThatIsLeftOfItsAttempt(Way way, Door door) throws Exception {
    assertWorkSees(LIMIT, Scenario.TIMEOUT, way, door);
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void work_seesTheTimeThatIsLeftOfItsCall_whereThatIsLess(Way way, Door door) throws Exception {
    assertWorkSees(LIMIT.dividedBy(2), LIMIT.dividedBy(2), way, door);
  }

  private static void assertWorkSees(Duration expected, Duration timeout, Way way, Door door)
      throws Exception {
    try (Scenario scenario = new Scenario(way, door)) {
      CompletableFuture<Duration> seen = new CompletableFuture<>();
      CommandBuilder<String, String> builder =
          way == Way.STAGE
              ? scenario.tenrec.asyncCommand(
                  "Subject",
                  (String argument, Call call) -> {
                    seen.complete(call.remaining());
                    return CompletableFuture.completedFuture(argument);
                  })
              : scenario.tenrec.command(
                  "Subject",
                  (String argument, Call call) -> {
                    seen.complete(call.remaining());
                    return argument;
                  });
      Command<String, String> command =
          builder.isolation(way.isolation()).timeout(timeout).retry(EXACT).build();

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      assertThat(seen.join()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void context_ofTheCaller_isThatOfEachAttempt(Way way, Door door) throws Exception {
    Tenant tenant = new Tenant();
    List<String> seen = new CopyOnWriteArrayList<>();
    try (Scenario scenario = new Scenario(way, door, Tenrec.builder().propagate(tenant))) {
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
              .retry(EXACT)
              .build();
      tenant.set("ours");

      assertThat(scenario.call(command, "x").value()).isEqualTo("x");
      assertThat(seen).containsExactly("ours", "ours", "ours");
    }
  }
}
