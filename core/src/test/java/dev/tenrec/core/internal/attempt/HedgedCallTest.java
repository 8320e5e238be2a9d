// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A call times out while closing ends its attempt, which it does to one whose starter was shut
 * before the hand-over: the time-out is counted, and once.
 */
class HedgedCallTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();

  private final InterludeTime ticker = new InterludeTime(time);
  private final Tenrec tenrec = Tenrec.builder().time(ticker, time).build();
  private final AtomicReference<@Nullable Call> seen = new AtomicReference<>();
  private final Command<String, String> command =
      tenrec
          .asyncCommand(
              "Subject",
              (String x, Call call) -> {
                seen.set(call);
                return new CompletableFuture<String>();
              })
          .timeout(TIMEOUT)
          .hedge(Hedge.after(Duration.ofSeconds(10)))
          .build();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private HedgedAttempt<String, String> onlyAttempt() {
    return (HedgedAttempt<String, String>) Objects.requireNonNull(seen.get());
  }

  private static void endByClosing(HedgedAttempt<String, String> attempt) {
    CancellationException why = new CancellationException("closed");
    assertThat(attempt.pipeline.abandonment.giveUp(attempt, EventType.CANCELLED, why, false))
        .isTrue();
  }

  private void assertTimeoutCounted(CompletableFuture<String> call) {
    assertThat(call).failsWithin(PatientWaits.patience());
    Scenario.await()
        .untilAsserted(
            () ->
                Scenario.assertCounted(
                    command,
                    EventType.TIMEOUT,
                    EventType.FALLBACK_MISSING,
                    EventType.EXCEPTION_THROWN));
  }

  /** The call has ended by the time the attempt is counted. */
  @Test
  void timeOut_ofACallWhoseOnlyAttemptClosingHasEnded_isCounted() {
    CompletableFuture<String> call = command.executeAsync("x");
    HedgedAttempt<String, String> attempt = onlyAttempt();
    ticker.atMyNextReading( // where the ending is counted that was claimed
        () -> {
          time.advance(TIMEOUT);
          Scenario.await().until(call::isDone);
        });

    endByClosing(attempt);

    assertTimeoutCounted(call);
  }
}
