// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An attempt has failed, and the owner of that ending does not come to end the call with it. */
@Timeout(900)
class LostOwnerTest {

  private static final Duration NEVER = Duration.ofDays(1);

  private final IOException why = new IOException("failed");
  private final Tenrec tenrec = Tenrec.builder().source(new NoSettings()).build();

  /** Of whose command the calls are. */
  private final HedgedAttempt<String, String> pattern = pattern();

  private final Execution<String, String> whole =
      new Execution<>(pattern.pipeline, pattern.plan, "x", null, false, 0);

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private HedgedAttempt<String, String> pattern() {
    AtomicReference<@Nullable Call> seen = new AtomicReference<>();
    var unused =
        tenrec
            .asyncCommand(
                "Subject",
                (String argument, Call call) -> {
                  seen.set(call);
                  return CompletableFuture.completedFuture(argument);
                })
            .withoutTimeout()
            .withoutCircuitBreaker()
            .hedge(Hedge.after(NEVER))
            .build()
            .execute("x");
    return (HedgedAttempt<String, String>) Objects.requireNonNull(seen.get());
  }

  @AfterEach
  void close() {
    tenrec.close();
  }

  private void assertFailedAs(EventType event) {
    Scenario.await().until(whole::isAnswered);
    assertThat(whole.outcome().error()).isSameAs(why);
    assertThat(whole.outcome().events())
        .containsExactlyInAnyOrder(event, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "FAILURE",
        "SHORT_CIRCUITED",
        "THREAD_POOL_REJECTED",
        "SEMAPHORE_REJECTED",
        "RATE_LIMITED"
      })
  void hedgedCall_whoseOnlyAttemptHasFailed_endsAsThat(EventType event) {
    HedgedCall<String, String> call = new HedgedCall<>(pattern.call.hedges, whole, 0, 2);
    whole.share = call;
    HedgedAttempt<String, String> first = new HedgedAttempt<>(call, 1, 1, 0);
    assertThat(whole.launch() && call.addFirst(first)).isTrue();
    assertThat(whole.pipeline.abandonment.giveUp(first, event, why, false)).isTrue();

    call.publish("unused", why);

    assertFailedAs(event);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "FAILURE",
        "TIMEOUT",
        "DEADLINE_EXCEEDED",
        "SHORT_CIRCUITED",
        "THREAD_POOL_REJECTED",
        "SEMAPHORE_REJECTED",
        "RATE_LIMITED"
      })
  void retriedCall_whoseAttemptHasFailed_endsAsThat(EventType event) {
    RetriedCall<String, String> call = new RetriedCall<>(whole);
    Attempt<String, String> first = call.first(0);
    whole.share = call;
    assertThat(whole.openAttempts()).isTrue();
    assertThat(whole.pipeline.abandonment.giveUp(first, event, why, false)).isTrue();

    call.publish("unused", why);

    assertFailedAs(event);
  }
}
