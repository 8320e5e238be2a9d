// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The thread that owns the ending of a hedged call's only attempt is held up after its claim,
 * before it counts that. What happens meanwhile is done by the clock that it reads there: another
 * thread takes it for lost, or the call's deadline comes. The attempt counts why it ended, once,
 * and the call ends with that.
 */
class PassedOverTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();

  private final InterludeTime ticker = new InterludeTime(time);
  private final Tenrec tenrec = Tenrec.builder().time(ticker, time).build();
  private final AtomicReference<@Nullable Call> seen = new AtomicReference<>();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private CommandBuilder<String, String> hedged() {
    return tenrec
        .asyncCommand(
            "Subject",
            (String x, Call call) -> {
              seen.set(call);
              return new CompletableFuture<String>();
            })
        .timeout(TIMEOUT)
        .withoutCircuitBreaker()
        .hedge(Hedge.after(Duration.ofSeconds(10)));
  }

  /** Each attempt has a time of its own, which does not come here. */
  private Command<String, String> timed() {
    return hedged()
        .retry(Retry.attempts(2).attemptTimeout(Duration.ofMillis(900)).budget(0, 0))
        .build();
  }

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private HedgedAttempt<String, String> onlyAttempt() {
    return (HedgedAttempt<String, String>) Objects.requireNonNull(seen.get());
  }

  /** Ends the attempt, and has another thread take this one for lost in the midst of that. */
  private void endLost(CompletableFuture<?> call, EventType event, Throwable why) {
    HedgedAttempt<String, String> attempt = onlyAttempt();
    ticker.atMyNextReading(
        () -> {
          attempt.pipeline.abandonment.leaveToOwner(attempt);
          time.advanceMillis(60);
          Scenario.await().until(call::isDone);
        });
    assertThat(attempt.pipeline.abandonment.giveUp(attempt, event, why, false)).isTrue();
  }

  private static Outcome<String> outcome(CompletableFuture<Outcome<String>> call) throws Exception {
    return call.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @Test
  void timeOutOfItsOwn_isCountedAsThat() throws Exception {
    Command<String, String> command = timed();
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    IOException why = new IOException("late");

    endLost(call, EventType.TIMEOUT, why);

    assertThat(outcome(call).error()).isSameAs(why);
    Scenario.assertCounted(
        command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
  }

  @Test
  void timeOutOfItsCall_isCountedAsThat() throws Exception {
    Command<String, String> command = hedged().build();
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    IOException why = new IOException("late");

    endLost(call, EventType.TIMEOUT, why);

    assertThat(outcome(call).error()).isSameAs(why);
    Scenario.assertCounted(
        command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
  }

  @Test
  void badRequest_endsTheCall() throws Exception {
    Command<String, String> command = timed();
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    BadRequestException why = new BadRequestException("no such thing");

    endLost(call, EventType.BAD_REQUEST, why);

    assertThat(outcome(call).error()).isSameAs(why);
    Scenario.assertCounted(command, EventType.BAD_REQUEST, EventType.EXCEPTION_THROWN);
  }

  @Test
  void failure_thatIsNotCountedAtTheDeadline_isWhatTheCallEndsWith() throws Exception {
    Command<String, String> command = hedged().build();
    CompletableFuture<Outcome<String>> call = command.attemptAsync("x");
    HedgedAttempt<String, String> attempt = onlyAttempt();
    IOException why = new IOException("in time");
    ticker.atMyNextReading(
        () -> {
          time.advance(TIMEOUT);
          Scenario.await().until(call::isDone);
        });

    assertThat(attempt.pipeline.abandonment.giveUp(attempt, EventType.FAILURE, why, false))
        .isTrue();

    assertThat(outcome(call).error()).isSameAs(why);
    assertThat(outcome(call).events())
        .containsExactlyInAnyOrder(
            EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    Scenario.assertCounted(
        command, EventType.FAILURE, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
  }
}
