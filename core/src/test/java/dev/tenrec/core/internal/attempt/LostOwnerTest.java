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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An attempt has failed, and the owner of that ending does not come to end the call with it. */
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

  private void assertFailedAs(Execution<String, String> whole, EventType event) {
    assertThat(whole.isClaimed()).isTrue();
    Scenario.await().until(whole::isAnswered); // when it is known that there is no fallback
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
    HandMadeCall made = new HandMadeCall(pattern);
    HandMadeCall.end(made.begin(), event, why);

    made.call.publish("unused", why);

    assertFailedAs(made.whole, event);
  }

  /** There was no memory for it when it was published. */
  @Test
  void hedgedCall_thatIsToldOnlyOnDelivery_endsAsItsAttempt() {
    HandMadeCall made = new HandMadeCall(pattern);
    HandMadeCall.end(made.begin(), EventType.FAILURE, why);

    made.call.onError(why);

    assertFailedAs(made.whole, EventType.FAILURE);

    HandMadeCall another = new HandMadeCall(pattern);
    HandMadeCall.endUncounted(another.begin(), EventType.SUCCESS, null);

    another.call.onValue("done");

    assertThat(another.whole.isAnswered()).isTrue();
    assertThat(another.whole.value()).isEqualTo("done");
  }

  @Test
  void hedgedCall_oneOfWhoseAttemptsHasFailed_goesOnWithTheOther() {
    HandMadeCall made = new HandMadeCall(pattern);
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    HandMadeCall.end(first, EventType.FAILURE, why);

    made.call.publish("unused", why);
    made.call.publish("unused", why); // as by the same thread on delivery

    assertThat(made.whole.isClaimed()).isFalse();
    assertThat(second.isClaimed()).isFalse();
    IOException last = new IOException("failed last");
    HandMadeCall.end(second, EventType.FAILURE, last);
    made.call.publish("unused", last);
    Scenario.await().until(made.whole::isAnswered);
    assertThat(made.whole.outcome().error()).isSameAs(last);
    assertThat(made.whole.outcome().failedAttempts()).containsExactly(why, last);
  }

  @Test
  void hedgedCall_whichAnAttemptHasEnded_isAnswered_andTheOtherGivenUp() {
    HandMadeCall made = new HandMadeCall(pattern);
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    HandMadeCall.end(first, EventType.BAD_REQUEST, why);
    assertThat(second.isClaimed()).isFalse();

    made.call.publish("unused", why);

    assertThat(made.whole.isAnswered()).isTrue();
    assertThat(made.whole.outcome().error()).isSameAs(why);
    assertThat(second.isAnswered()).isTrue();
    assertThat(second.cause).isInstanceOf(CancellationException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCESS", "BAD_REQUEST"})
  void hedgedCall_whoseAttemptWasToEndIt_endsAsThat(EventType event) {
    HandMadeCall made = new HandMadeCall(pattern);
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    HandMadeCall.endUncounted(first, event, event == EventType.SUCCESS ? null : why);

    made.call.publish("unused", null);

    assertThat(made.whole.isAnswered()).isTrue();
    assertThat(made.whole.has(event)).isTrue();
    assertThat(second.isClaimed()).isTrue();
  }

  /** Whose owner has its fallback answer, or answers, in its own time. */
  @ParameterizedTest
  @EnumSource(names = {"SUCCESS", "BAD_REQUEST", "FAILURE"})
  void hedgedCall_thatAnotherThreadEnds_isLeftToThat(EventType event) {
    HandMadeCall made = new HandMadeCall(pattern);
    HandMadeCall.endUncounted(made.begin(), event, event == EventType.SUCCESS ? null : why);
    HandMadeCall.decide(made.whole, EventType.TIMEOUT, new IOException("late"));

    made.call.publish("unused", null);

    assertThat(made.whole.isUnpublished()).isTrue();
    assertThat(made.whole.has(event)).isFalse();
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

    assertFailedAs(whole, event);
  }

  /** Its owner is about to tell the call what it has. */
  @Test
  void attempt_thatIsGivenUpAfterItsEnding_isLeftToItsOwner() {
    HandMadeCall made = new HandMadeCall(pattern);
    HedgedAttempt<String, String> first = made.begin();
    HandMadeCall.decide(first, EventType.SUCCESS, null);

    assertThat(first.pipeline.abandonment.giveUp(first, EventType.CANCELLED, why, true)).isFalse();

    assertThat(first.isUnpublished()).isTrue();
    assertThat(first.has(EventType.CANCELLED)).isFalse();
  }
}
