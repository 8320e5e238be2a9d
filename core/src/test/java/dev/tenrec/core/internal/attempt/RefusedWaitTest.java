// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Captured;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Jitter;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * While it is asked whether a failed call is attempted again, the call is given up, or closing has
 * come as far as what would keep it while it waits: it has an ending all the same, and leaves
 * nothing behind.
 */
class RefusedWaitTest {

  private static final Duration WAIT = Duration.ofMillis(10);

  /** How further attempts come. */
  enum Further {
    RETRIES,
    TIMED_RETRIES,
    ROUNDS,
    ROUNDS_WITHOUT_HEDGE;

    private CommandBuilder<String, String> on(CommandBuilder<String, String> builder, Retry retry) {
      Retry timed = this == TIMED_RETRIES ? retry.attemptTimeout(Duration.ofHours(1)) : retry;
      CommandBuilder<String, String> retried = builder.retry(timed);
      return this == ROUNDS || this == ROUNDS_WITHOUT_HEDGE
          ? retried.hedge(Hedge.after(Duration.ofHours(2)))
          : retried;
    }

    private boolean hasAttemptsOfItsOwn() {
      return this == TIMED_RETRIES || this == ROUNDS;
    }
  }

  private final IOException why = new IOException("failed");
  private final ManualTime time = new ManualTime();
  private final AtomicBoolean withoutContext = new AtomicBoolean();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).propagate(this::captured).build();
  private final AtomicReference<@Nullable Call> seen = new AtomicReference<>();
  private final AtomicReference<Runnable> whenAsked = new AtomicReference<>(() -> {});
  private final AtomicInteger begun = new AtomicInteger();
  private final CompletableFuture<String> stage = new CompletableFuture<>();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private Command<String, String> command(Further further) {
    if (further == Further.ROUNDS_WITHOUT_HEDGE) {
      tenrec.set("tenrec.command.Subject.hedge.enabled", "false");
    }
    Retry retry =
        Retry.attempts(3)
            .backoff(WAIT, WAIT)
            .jitter(Jitter.NONE)
            .budget(0, 10)
            .onlyIf(
                thrown -> {
                  whenAsked.get().run();
                  return true;
                });
    return further.on(builder(), retry).build();
  }

  private CommandBuilder<String, String> builder() {
    return tenrec
        .asyncCommand(
            "Subject",
            (String argument, Call call) -> {
              begun.incrementAndGet();
              seen.set(call);
              return stage.thenApply(value -> value);
            })
        .withoutTimeout()
        .withoutCircuitBreaker();
  }

  private void assertLeavesNothing(Command<String, String> command) {
    CommandRuntime runtime = Inside.runtime(command.view());
    assertThat(begun).hasValue(1);
    assertThat(Inside.waitingForRetry(command.view())).isZero();
    assertThat(runtime.retryBudget().spent(time.nanoTime())).isZero();
    assertThat(command.view().concurrency()).isZero();
    Execution<?, ?> attempt = (Execution<?, ?>) Objects.requireNonNull(seen.get());
    assertThat(attempt.isAnswered()).isTrue();
  }

  private void assertFails(
      Command<String, String> command, CompletableFuture<Outcome<String>> call) {
    assertThat(call).succeedsWithin(PatientWaits.patience());
    assertThat(call.join().error()).isSameAs(why);
    Scenario.assertCounted(
        command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    assertLeavesNothing(command);
  }

  @ParameterizedTest
  @EnumSource
  void closing_thatHasLookedAtThoseThatWait_leavesTheCallItsFailure(Further further) {
    Command<String, String> command = command(further);
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    whenAsked.set(() -> Inside.runtime(command.view()).engine.stages().close());

    stage.completeExceptionally(why);

    assertFails(command, call);
  }

  @ParameterizedTest
  @EnumSource
  void closing_thatHasShutTheTimer_leavesTheCallItsFailure(Further further) {
    Command<String, String> command = command(further);
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    whenAsked.set(() -> Inside.runtime(command.view()).engine.timer().close());

    stage.completeExceptionally(why);

    assertFails(command, call);
  }

  @ParameterizedTest
  @EnumSource
  void caller_thatGivesUp_isNotFollowedByAnotherAttempt(Further further) {
    Command<String, String> command = command(further);
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    whenAsked.set(() -> call.cancel(true));

    stage.completeExceptionally(why);

    if (further.hasAttemptsOfItsOwn()) {
      assertThat(call).isCancelled();
      Scenario.assertCounted(command, EventType.FAILURE, EventType.CANCELLED);
      assertLeavesNothing(command);
    } else { // its failure was its ending already
      assertFails(command, call);
    }
  }

  @ParameterizedTest
  @EnumSource
  void caller_thatGivesUpWhileTheCallWaits_endsIt(Further further) {
    Command<String, String> command = command(further);
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    stage.completeExceptionally(why);
    assertThat(Inside.waitingForRetry(command.view())).isOne();

    assertThat(call.cancel(true)).isTrue();

    Scenario.assertCounted(command, EventType.FAILURE, EventType.CANCELLED);
    assertLeavesNothing(command);
  }

  /** What has been decided for its attempts is not decided again. */
  @ParameterizedTest
  @EnumSource
  void caller_thatGivesUpDuringTheFallback_cancelsThat(Further further) {
    AtomicReference<@Nullable CompletableFuture<String>> call = new AtomicReference<>();
    Command<String, String> command =
        further
            .on(builder(), Retry.attempts(2).onlyIf(thrown -> false))
            .fallback(
                (argument, cause) -> {
                  Objects.requireNonNull(call.get()).cancel(false);
                  return "too late";
                })
            .build();
    call.set(command.executeAsync("x"));

    stage.completeExceptionally(why);

    Scenario.awaitCounted(command, EventType.FAILURE, EventType.CANCELLED);
  }

  /** Of a command without retries. */
  @Test
  void caller_thatGivesUpDuringTheFallbackOfAHedgedCall_cancelsThat() {
    AtomicReference<@Nullable CompletableFuture<String>> call = new AtomicReference<>();
    Command<String, String> command =
        builder()
            .hedge(Hedge.after(Duration.ofHours(2)))
            .fallback(
                (argument, cause) -> {
                  Objects.requireNonNull(call.get()).cancel(false);
                  return "too late";
                })
            .build();
    call.set(command.executeAsync("x"));

    stage.completeExceptionally(why);

    Scenario.awaitCounted(command, EventType.FAILURE, EventType.CANCELLED);
  }

  private @Nullable Captured captured() {
    if (withoutContext.get()) {
      throw new IllegalStateException("of the context");
    }
    return null;
  }

  /** Of which nothing has been asked so far: neither the rate, which would not come back. */
  private void assertEndsBeforeItsGates(
      Further further, Class<? extends Throwable> error, EventType... events) {
    AtomicInteger asked = new AtomicInteger();
    Command<String, String> command =
        further
            .on(builder(), Retry.attempts(2))
            .timeout(Duration.ofSeconds(1))
            .rateLimit(100, Duration.ofSeconds(1), 100)
            .rateLimitKey(
                argument -> {
                  asked.incrementAndGet();
                  return argument;
                })
            .build();
    whenAsked.get().run();

    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");

    assertThat(call).succeedsWithin(PatientWaits.patience());
    assertThat(call.join().error()).isInstanceOf(error);
    Scenario.awaitCounted(command, events);
    assertThat(asked).hasValue(0);
    assertThat(begun).hasValue(0);
    assertThat(command.view().concurrency()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"TIMED_RETRIES", "ROUNDS"})
  void call_whoseContextCannotBeCaptured_endsBeforeItsGates(Further further) {
    withoutContext.set(true);

    assertEndsBeforeItsGates(
        further,
        IllegalStateException.class,
        EventType.FAILURE,
        EventType.FALLBACK_MISSING,
        EventType.EXCEPTION_THROWN);
  }

  @ParameterizedTest
  @EnumSource(names = {"TIMED_RETRIES", "ROUNDS"})
  void call_thatFindsTheTimerShut_endsBeforeItsGates(Further further) {
    Command<String, String> other = tenrec.command("Other", (String argument) -> argument).build();
    whenAsked.set(() -> Inside.runtime(other.view()).engine.timer().close());

    assertEndsBeforeItsGates(further, CancellationException.class, EventType.CANCELLED);
  }
}
