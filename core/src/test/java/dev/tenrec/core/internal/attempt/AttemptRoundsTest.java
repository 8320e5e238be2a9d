// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What may begin in the rounds of one call, step by step, without its timer. */
class AttemptRoundsTest {

  private static final int MANY = 9;

  private final IOException why = new IOException("failed");
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final AtomicReference<@Nullable Call> seen = new AtomicReference<>();
  private final Command<String, String> command =
      tenrec
          .asyncCommand(
              "Subject",
              (String argument, Call call) -> {
                seen.set(call);
                return CompletableFuture.completedFuture(argument);
              })
          .withoutTimeout()
          .withoutCircuitBreaker()
          .hedge(Hedge.after(Duration.ofDays(1)))
          .build();

  /** Of whose command the calls are. */
  private final HedgedAttempt<String, String> pattern = pattern();

  private final Execution<String, String> whole = whole(false);

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private HedgedAttempt<String, String> pattern() {
    assertThat(command.execute("x")).isEqualTo("x");
    return (HedgedAttempt<String, String>) Objects.requireNonNull(seen.get());
  }

  private Execution<String, String> whole(boolean callerStays) {
    return new Execution<>(pattern.pipeline, pattern.plan, "x", null, callerStays, time.nanoTime());
  }

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  /** Of so many attempts at most, and one hedge a round. */
  private HedgedCall<String, String> call(int most) {
    HedgedCall<String, String> call = new HedgedCall<>(pattern.call.hedges, whole, 0, most);
    whole.share = call;
    return call;
  }

  private HedgedAttempt<String, String> attempt(
      HedgedCall<String, String> call, int number, int round) {
    return new HedgedAttempt<>(call, number, round, time.nanoTime());
  }

  private RetryToken drawn() {
    long now = time.nanoTime();
    return Objects.requireNonNull(
        pattern.pipeline.runtime.retryBudget().draw(0, 100, () -> 0, now));
  }

  private int drawnAndNotGivenBack() {
    return pattern.pipeline.runtime.retryBudget().spent(time.nanoTime());
  }

  /** A call of which one round is over, and the next is due. */
  private HedgedCall<String, String> waiting(RetryToken token) {
    HedgedCall<String, String> call = call(MANY);
    HedgedAttempt<String, String> first = attempt(call, 1, 1);
    assertThat(call.addFirst(first)).isTrue();
    assertThat(call.failed(first, EventType.FAILURE, why)).isTrue();
    assertThat(call.waits(first, token, 7)).isTrue();
    return call;
  }

  @Test
  void delayOfAHedge_beginsOnceForEachAttempt_untilTheRoundHasItsHedges() {
    HedgedCall<String, String> call = call(MANY);
    HedgedAttempt<String, String> first = attempt(call, 1, 1);
    assertThat(call.addFirst(first)).isTrue();
    assertThat(call.beginsDelay(first)).isTrue();
    assertThat(call.beginsDelay(first)).isFalse();

    HedgedAttempt<String, String> hedge = attempt(call, 2, 1);
    assertThat(call.add(hedge)).isTrue();
    assertThat(call.beginsDelay(hedge)).isFalse();
  }

  @Test
  void delayOfAHedge_thatWouldBeOneAttemptTooMany_doesNotBegin() {
    HedgedCall<String, String> call = call(1);
    HedgedAttempt<String, String> only = attempt(call, 1, 1);
    assertThat(call.addFirst(only)).isTrue();

    assertThat(call.beginsDelay(only)).isFalse();
  }

  @Test
  void round_isFollowedByAnother_onlyWhenItIsOver() {
    HedgedCall<String, String> call = call(MANY);
    HedgedAttempt<String, String> first = attempt(call, 1, 1);
    assertThat(call.addFirst(first)).isTrue();

    assertThat(call.waits(first, drawn(), 7)).isFalse();
    assertThat(call.next(time.nanoTime())).isNull();
  }

  @Test
  void whatIsDueInARound_meansNothingInTheNext() {
    HedgedCall<String, String> call = waiting(drawn());
    CallbackTask nothing = CallbackTask.of(() -> {});
    assertThat(call.waitedNanos()).isEqualTo(7);
    assertThat(call.isEnded()).isFalse();
    RoundTimeout ofTheFirst = new RoundTimeout(call, 1, 0, nothing, true);
    assertThat(ofTheFirst.isEnded()).isFalse();

    HedgedAttempt<String, String> next = call.next(time.nanoTime());

    assertThat(next).isNotNull();
    assertThat(next.attempt()).isEqualTo(2);
    assertThat(next.round).isEqualTo(2);
    assertThat(call.isEnded()).isTrue();
    assertThat(ofTheFirst.isEnded()).isTrue();
    assertThat(new RoundTimeout(call, 2, 0, nothing, true).isEnded()).isFalse();
    assertThat(call.next(time.nanoTime())).as("it has begun").isNull();
  }

  @Test
  void nextRound_ofACallThatIsClaimed_doesNotBegin() {
    HedgedCall<String, String> call = waiting(drawn());
    Execution.Claim unused = whole.claim();

    assertThat(call.next(time.nanoTime())).isNull();
    assertThat(call.begun()).isOne();
    assertThat(call.isEnded()).isTrue();
  }

  @Test
  void nextRound_whoseTokenIsGivenBack_doesNotBegin() {
    RetryToken token = drawn();
    HedgedCall<String, String> call = waiting(token);
    token.giveBack();

    assertThat(call.next(time.nanoTime())).isNull();
    assertThat(call.begun()).isOne();
  }

  @Test
  void end_ofACallThatWaits_givesItsTokenBack() {
    HedgedCall<String, String> call = waiting(drawn());
    assertThat(drawnAndNotGivenBack()).isOne();
    assertThat(call.isOver()).isFalse();

    assertThat(call.endsFailed(null)).isTrue();

    assertThat(call.isOver()).isTrue();
    assertThat(drawnAndNotGivenBack()).isZero();
    assertThat(call.next(time.nanoTime())).isNull();
    assertThat(call.endsFailed(null)).isFalse();
  }

  /** As closing does, or a listener that cancels the call. */
  @Test
  void end_beforeTheFirstAttempt_isCounted() {
    HedgedCall<String, String> call = call(MANY);
    Execution.Claim unused = whole.claim();

    call.endedItself(EventType.CANCELLED);

    assertThat(call.addFirst(attempt(call, 1, 1))).isFalse();
    Scenario.assertCounted(command, EventType.SUCCESS, EventType.CANCELLED);
  }

  @Test
  void whatIsDue_isLeftToACallerThatWaits_andToTheShareOnceTheCallHasEnded() {
    Execution<String, String> waited = whole(true);
    HedgedCall<String, String> call = new HedgedCall<>(pattern.call.hedges, waited, 0, MANY);
    CallbackTask due = CallbackTask.of(() -> {});
    call.goOn(due);
    assertThat(call.nextForCaller()).isSameAs(due);

    Execution.Claim unused = waited.claim();
    AtomicBoolean done = new AtomicBoolean();
    call.goOn(CallbackTask.of(() -> done.set(true)));

    assertThat(call.nextForCaller()).isNull();
    Scenario.await().untilTrue(done);
  }
}
