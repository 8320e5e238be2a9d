// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Classification;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.FurtherAttempts;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.WorkBody;
import dev.tenrec.core.internal.retry.SharedBudget;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Jitter;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A step between two attempts fails that little but a want of memory makes fail, here the look at a
 * budget: that is logged, and the call goes on without another attempt.
 */
class BrokenStepBetweenAttemptsTest {

  private static final Duration DELAY = Duration.ofMillis(50);

  private static final Retry TIMED =
      Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO).attemptTimeout(Duration.ofHours(1));

  private final IOException why = new IOException("failed");
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final Queue<CompletableFuture<String>> begun = new ConcurrentLinkedQueue<>();
  private final List<String> loggers = new CopyOnWriteArrayList<>();

  @BeforeEach
  void requireLogging() {
    SwitchedLogging.requireInstalled();
  }

  @AfterEach
  void close() {
    begun.forEach(stage -> stage.complete("late"));
    Elsewhere.close(tenrec, time);
  }

  private CommandBuilder<String, String> subject() {
    return tenrec.asyncCommand("Subject", this::begin).withoutTimeout().withoutCircuitBreaker();
  }

  private CompletableFuture<String> begin(String argument) {
    CompletableFuture<String> stage = new CompletableFuture<>();
    begun.add(stage);
    return stage.thenApply(value -> value);
  }

  /** A budget that cannot find out what is left. */
  private SharedBudget broken() {
    SharedBudget budget = new SharedBudget(10, 10, time.nanoTime());
    budget.join(
        new SharedBudget.Member(
            "Subject",
            now -> {
              throw new IllegalStateException("of the budget");
            }));
    return budget;
  }

  /** A call of that command, with these further attempts, whose first one is under way. */
  private Execution<String, String> call(
      Command<String, String> command,
      Function<Pipeline<String, String>, FurtherAttempts> further) {
    Pipeline<String, String> pipeline =
        new Pipeline<>(
            Inside.runtime(command.view()),
            new WorkBody.Staged<>(this::begin),
            null,
            Classification.DEFAULT,
            null,
            null,
            further);
    Execution<String, String> call =
        new Execution<>(pipeline, pipeline.runtime.plan(), "x", null, false, time.nanoTime());
    pipeline.run(call);
    assertThat(begun).hasSize(1);
    return call;
  }

  private void awaitLogged() {
    Scenario.await()
        .until(() -> loggers.stream().anyMatch(logger -> logger.endsWith("FailureLog")));
  }

  private void assertFailsOnce(Command<String, String> command, Execution<String, String> call)
      throws Exception {
    try (AutoCloseable switched = SwitchedLogging.on(loggers::add)) {
      begun.element().completeExceptionally(why);
      awaitLogged();
    }

    Scenario.await().until(call::isAnswered);
    assertThat(call.error()).isSameAs(why);
    Scenario.awaitCounted(
        command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    assertThat(Inside.waitingForRetry(command.view())).isZero();
  }

  @Test
  void retry_thatCannotBeDrawn_leavesTheFailure() throws Exception {
    Command<String, String> command = subject().retry(TIMED).build();

    assertFailsOnce(command, call(command, Retries.by(TIMED, broken())));
  }

  @Test
  void round_thatCannotBeDrawn_leavesTheFailure() throws Exception {
    Command<String, String> command = subject().retry(TIMED).hedge(Hedge.after(DELAY)).build();

    assertFailsOnce(command, call(command, Rounds.by(TIMED, broken(), null)));
  }

  @Test
  void hedge_thatCannotBeDrawn_leavesTheCallToItsAttempt() throws Exception {
    Command<String, String> command = subject().hedge(Hedge.after(DELAY)).build();
    Execution<String, String> call = call(command, Rounds.by(null, null, broken()));

    try (AutoCloseable switched = SwitchedLogging.on(loggers::add)) {
      time.advance(DELAY);
      awaitLogged();
    }
    begun.element().complete("1");

    Scenario.await().until(call::isAnswered);
    assertThat(call.value()).isEqualTo("1");
    Scenario.awaitCounted(command, EventType.SUCCESS);
    assertThat(begun).hasSize(1);
  }

  /** By user code: what it throws for a call ends that, but a hedge is no call. */
  @Test
  void hedge_whoseKeyOfTheRateCannotBeFound_isRefused() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Command<String, String> command =
        subject()
            .rateLimit(100, Duration.ofSeconds(1), 100)
            .rateLimitKey(
                argument -> {
                  if (asked.incrementAndGet() == 2) {
                    throw new IllegalStateException("of the key");
                  }
                  return argument;
                })
            .hedge(Hedge.after(DELAY))
            .build();
    CompletableFuture<String> call = command.executeAsync("x");

    try (AutoCloseable switched = SwitchedLogging.on(loggers::add)) {
      time.advance(DELAY);
      awaitLogged();
    }
    Scenario.await().until(() -> Scenario.counted(command, EventType.HEDGE_REFUSED) == 1);
    assertThat(begun).hasSize(1);
    begun.element().complete("1");

    assertThat(call).succeedsWithin(PatientWaits.patience()).isEqualTo("1");
    Scenario.awaitCounted(command, EventType.HEDGE_REFUSED, EventType.SUCCESS);
    Scenario.await()
        .until(() -> Inside.runtime(command.view()).retryBudget().spent(time.nanoTime()) == 0);
  }

  /** An error is no bad request, and the call would wait for that attempt without an end. */
  @Test
  void retry_whoseKeyOfTheRateBreaks_endsTheCallWithThat() {
    AssertionError broken = new AssertionError("of the key");
    AtomicInteger asked = new AtomicInteger();
    Command<String, String> command =
        subject()
            .rateLimit(100, Duration.ofSeconds(1), 100)
            .rateLimitKey(
                argument -> {
                  if (asked.incrementAndGet() == 2) {
                    throw broken;
                  }
                  return argument;
                })
            .retry(Retry.attempts(2).backoff(DELAY, DELAY).jitter(Jitter.NONE))
            .build();
    CompletableFuture<Throwable> ending =
        command.executeAsync("x").handle((value, thrown) -> thrown);
    begun.element().completeExceptionally(why);

    time.advance(DELAY);

    assertThat(ending).succeedsWithin(PatientWaits.patience()).isSameAs(broken);
    Scenario.await().until(() -> command.view().concurrency() == 0);
    assertThat(begun).hasSize(1);
  }
}
