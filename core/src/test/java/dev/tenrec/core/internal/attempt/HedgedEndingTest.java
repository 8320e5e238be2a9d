// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.retry.RetryBudget;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.NoSettings;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
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

/**
 * How a hedged call ends, from outside or by its attempts, and what it reports and counts. Each
 * step is taken by the test, in the place of the thread that would, so that none comes before
 * another one by chance.
 */
class HedgedEndingTest {

  private static final Duration NEVER = Duration.ofDays(1);

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().source(new NoSettings()).time(time, time).build();
  private final AtomicReference<@Nullable Call> seen = new AtomicReference<>();
  private final IOException why = new IOException("failed");
  private final IOException late = new IOException("late");
  private final CancellationException closed = new CancellationException("closed");

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
              return x.equals("pattern")
                  ? CompletableFuture.completedFuture(x)
                  : new CompletableFuture<String>();
            })
        .withoutTimeout()
        .withoutCircuitBreaker()
        .hedge(Hedge.after(NEVER));
  }

  /** Each attempt has a time of its own, which does not come by itself. */
  private CommandBuilder<String, String> timed() {
    return hedged().retry(Retry.attempts(4).attemptTimeout(NEVER).budget(0, 0));
  }

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private HandMadeCall callOf(Command<String, String> command) {
    assertThat(command.execute("pattern")).isEqualTo("pattern");
    return new HandMadeCall((HedgedAttempt<String, String>) Objects.requireNonNull(seen.get()));
  }

  // Ended from outside.

  @Test
  void timeOut_withOneAttemptUnderWay_isCountedByThat() {
    Command<String, String> command = hedged().build();
    HandMadeCall made = callOf(command);
    HedgedAttempt<String, String> only = made.begin();

    made.endFromOutside(EventType.TIMEOUT, late);

    assertThat(only.cause).isSameAs(late);
    Scenario.assertCounted(
        command, EventType.SUCCESS, EventType.TIMEOUT, EventType.EXCEPTION_THROWN);
  }

  @Test
  void timeOut_withTwoAttemptsUnderWay_isCountedByOne() {
    Command<String, String> command = hedged().build();
    HandMadeCall made = callOf(command);
    made.begin();
    made.begin();

    made.endFromOutside(EventType.TIMEOUT, late);

    Scenario.assertCounted(
        command,
        EventType.SUCCESS,
        EventType.TIMEOUT,
        EventType.ATTEMPT_OUTRUN,
        EventType.EXCEPTION_THROWN);
    assertThat(made.call.times(EventType.TIMEOUT, true)).isOne();
    assertThat(made.call.times(EventType.ATTEMPT_OUTRUN, false)).as("not the call's").isZero();
  }

  @Test
  void timeOut_beforeTheFirstAttempt_isCountedByTheCall() {
    Command<String, String> command = hedged().build();
    HandMadeCall made = callOf(command);

    made.endFromOutside(EventType.TIMEOUT, late);

    Scenario.assertCounted(
        command, EventType.SUCCESS, EventType.TIMEOUT, EventType.EXCEPTION_THROWN);
    assertThat(made.call.times(EventType.TIMEOUT, true)).isOne();
    assertThat(made.call.attempts()).isOne();
  }

  @Test
  void timeOut_ofACallOneOfWhoseAttemptsHasFailed_isToldWithThat() {
    HandMadeCall made = callOf(hedged().build());
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    assertThat(HandMadeCall.fail(first, EventType.FAILURE, why)).isFalse();

    made.endFromOutside(EventType.TIMEOUT, late);

    assertThat(second.cause).isSameAs(late);
    assertThat(made.failedAttempts()).containsExactly(why, late);
    assertThat(made.whole.outcome().events())
        .containsExactlyInAnyOrder(
            EventType.FAILURE, EventType.TIMEOUT, EventType.HEDGE, EventType.EXCEPTION_THROWN);
  }

  @Test
  void closing_ofACallOneOfWhoseAttemptsHasFailed_isNoFailedAttempt() {
    HandMadeCall made = callOf(hedged().build());
    HedgedAttempt<String, String> first = made.begin();
    made.begin();
    assertThat(HandMadeCall.fail(first, EventType.FAILURE, why)).isFalse();

    made.endFromOutside(EventType.CANCELLED, closed);

    assertThat(made.failedAttempts()).containsExactly(why);
  }

  /** It was published for its owner after the call had ended, which has found it given up. */
  @Test
  void timeOut_thatAnAttemptIsSaidToHaveFailedWith_isListedOnce() {
    HandMadeCall made = callOf(timed().build());
    made.begin();
    HedgedAttempt<String, String> second = made.begin();
    made.endFromOutside(EventType.TIMEOUT, late);

    assertThat(made.call.failed(second, EventType.TIMEOUT, late)).isFalse();

    assertThat(made.failedAttempts()).containsExactly(late);
  }

  @Test
  void failure_thatItsOwnerTellsAfterTheTimeOut_isListedInItsPlace() {
    HandMadeCall made = callOf(hedged().build());
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    assertThat(HandMadeCall.fail(first, EventType.FAILURE, why)).isFalse();
    IOException another = new IOException("in time");
    HandMadeCall.decide(second, EventType.FAILURE, another);
    made.endFromOutside(EventType.TIMEOUT, late);

    assertThat(made.call.failed(second, EventType.FAILURE, another)).isFalse();

    assertThat(made.failedAttempts()).containsExactly(why, another);
  }

  @ParameterizedTest
  @EnumSource(names = {"TIMEOUT", "CANCELLED"})
  void ending_whileNoAttemptIsUnderWay_isNoFailedAttempt(EventType event) {
    HandMadeCall made = callOf(hedged().build());
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    IOException another = new IOException("failed, too");
    assertThat(HandMadeCall.fail(first, EventType.FAILURE, why)).isFalse();
    assertThat(HandMadeCall.fail(second, EventType.FAILURE, another)).isTrue();

    made.endFromOutside(event, closed);

    assertThat(made.failedAttempts()).containsExactly(why, another);
    assertThat(made.call.times(EventType.FAILURE, true)).isEqualTo(2);
    assertThat(made.call.times(EventType.TIMEOUT, true))
        .as("as often as it was counted")
        .isEqualTo(event == EventType.TIMEOUT ? 0 : 1);
    assertThat(made.call.times(EventType.CANCELLED, true)).isOne();
    assertThat(made.call.times(EventType.FALLBACK_SUCCESS, true)).isOne();
    assertThat(made.call.times(EventType.FALLBACK_SUCCESS, false)).isZero();
  }

  /** The call's ending is claimed, and has not come to its attempts when that happens. */
  @ParameterizedTest
  @EnumSource(names = {"TIMEOUT", "CANCELLED"})
  void ending_ofACallWhoseOnlyAttemptHasJustSucceeded_isCountedOnce(EventType event) {
    Command<String, String> command = hedged().build();
    HandMadeCall made = callOf(command);
    HedgedAttempt<String, String> only = made.begin();
    HandMadeCall.decide(made.whole, event, late);
    HandMadeCall.decide(only, EventType.SUCCESS, null);
    assertThat(only.isCause(EventType.SUCCESS)).isFalse();
    Scenario.assertCounted(command, EventType.SUCCESS); // of the pattern

    made.call.endedItself(event);

    Scenario.assertCounted(command, EventType.SUCCESS, event);
  }

  @Test
  void latency_ofACallThatTimesOut_isThatOfItsFirstAttempt() {
    HandMadeCall made = callOf(hedged().build());
    HedgedAttempt<String, String> first = made.begin();
    assertThat(first.launch()).isTrue();
    assertThat(made.whole.timeoutError().workBegan()).isFalse();
    first.run();
    assertThat(made.whole.timeoutError().workBegan()).isTrue();
    time.advanceMillis(10);
    HedgedAttempt<String, String> second = made.begin();
    assertThat(second.launch()).isTrue();
    second.run();
    time.advanceMillis(20);

    made.endFromOutside(EventType.TIMEOUT, late);

    assertThat(made.whole.outcome().executionLatency()).isEqualTo(Duration.ofMillis(30));
  }

  @Test
  void ownTimeOut_ofAnAttemptWhoseCallHasEnded_isThatOfOneThatWasOutrun() {
    Command<String, String> command = timed().build();
    HandMadeCall made = callOf(command);
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    HandMadeCall.end(first, EventType.BAD_REQUEST, why);

    HandMadeCall.end(second, EventType.TIMEOUT, late);

    Scenario.assertCounted(
        command, EventType.SUCCESS, EventType.BAD_REQUEST, EventType.ATTEMPT_OUTRUN);
  }

  // Out of time, with nothing under way.

  @Test
  void deadline_beforeTheFirstAttempt_findsNoFailureToEndWith() {
    HandMadeCall made = callOf(hedged().build());

    assertThat(made.call.endsOutOfTime()).isFalse();

    assertThat(made.whole.isClaimed()).isFalse();
  }

  @Test
  void deadline_ofACallWhoseAttemptHasFailedUntold_endsItWithThat() {
    HandMadeCall made = callOf(hedged().build());
    HedgedAttempt<String, String> only = made.begin();
    assertThat(made.call.endsOutOfTime()).as("it is under way").isFalse();
    HandMadeCall.end(only, EventType.FAILURE, why);

    assertThat(made.call.endsOutOfTime()).isTrue();

    assertThat(made.whole.cause).isSameAs(why);
  }

  // Ended by its attempts.

  @Test
  void failure_ofTheWork_saysMoreThanARefusalBeforeOrAfterIt() {
    HandMadeCall made = callOf(hedged().build());
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    HedgedAttempt<String, String> third = made.begin();
    IOException refused = new IOException("refused");
    assertThat(HandMadeCall.fail(first, EventType.RATE_LIMITED, refused)).isFalse();
    assertThat(made.call.failedAs()).isEqualTo(EventType.RATE_LIMITED);
    assertThat(HandMadeCall.fail(second, EventType.FAILURE, why)).isFalse();
    assertThat(made.call.failedAs()).isEqualTo(EventType.FAILURE);
    assertThat(HandMadeCall.fail(third, EventType.SEMAPHORE_REJECTED, refused)).isTrue();
    assertThat(made.call.failedAs()).isEqualTo(EventType.FAILURE);

    assertThat(made.call.endsFailed(third)).isTrue();

    assertThat(made.whole.cause).isSameAs(why);
    assertThat(made.whole.has(EventType.FAILURE)).isTrue();
    assertThat(made.call.endsFailed(third)).as("once").isFalse();
  }

  @Test
  void attempts_ofTwoRounds_areAFurtherRoundAndAHedge() {
    HandMadeCall made = callOf(timed().build());
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    assertThat(HandMadeCall.fail(first, EventType.FAILURE, why)).isFalse();
    assertThat(HandMadeCall.fail(second, EventType.FAILURE, late)).isTrue();
    RetryToken drawn = Objects.requireNonNull(new RetryBudget(0).draw(100, 0, () -> 1, 0));
    assertThat(made.call.waits(second, drawn, 0)).isTrue();
    assertThat(made.call.next(0)).isNotNull();

    assertThat(made.call.times(EventType.RETRY, true)).isOne();
    assertThat(made.call.times(EventType.HEDGE, true)).isOne();
    assertThat(made.call.times(EventType.FAILURE, true)).isEqualTo(2);
    assertThat(made.call.attempts()).isEqualTo(3);
  }

  // Handed over at an attempt's deadline, on the timer's thread.

  @Test
  void deadline_ofTheCall_foundByAnAttempt_isHandedOverByThatAlone() {
    HandMadeCall made = callOf(hedged().build());
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    HandMadeCall.decide(first, EventType.TIMEOUT, late);
    assertThat(first.isCause(EventType.TIMEOUT)).isTrue();

    assertThat(first.handsOver(EventType.TIMEOUT, late)).isTrue();

    assertThat(first.isAnswered()).isTrue();
    assertThat(second.isAnswered()).as("given up").isTrue();
    assertThat(second.cause).isInstanceOf(CancellationException.class);
    assertThat(second.handsOver(EventType.TIMEOUT, late)).isFalse();
  }

  @Test
  void deadline_ofAnAttemptWhoseCallAnotherOneHasEnded_isNotHandedOver() {
    HandMadeCall made = callOf(hedged().build());
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    HedgedAttempt<String, String> third = made.begin();
    HandMadeCall.decide(second, EventType.TIMEOUT, late);
    HandMadeCall.end(first, EventType.BAD_REQUEST, why);

    assertThat(second.handsOver(EventType.TIMEOUT, late)).isFalse();

    assertThat(second.isAnswered()).isTrue();
    assertThat(third.isClaimed()).as("left to the owner of the call's ending").isFalse();
  }

  @Test
  void deadline_ofItsOwn_isNotHandedOver_butLeftToWhatFollows() {
    HandMadeCall made = callOf(timed().build());
    HedgedAttempt<String, String> first = made.begin();
    HedgedAttempt<String, String> second = made.begin();
    HandMadeCall.decide(first, EventType.TIMEOUT, late);

    assertThat(first.handsOver(EventType.TIMEOUT, late)).isFalse();

    Scenario.await().until(first::isAnswered);
    assertThat(made.call.underWay()).isOne();
    assertThat(second.isClaimed()).isFalse();
  }
}
