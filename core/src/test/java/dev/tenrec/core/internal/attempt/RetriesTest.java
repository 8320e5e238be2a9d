// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a call whose attempts follow one another ends, step by step, and that it does so once. */
class RetriesTest {

  private static final Retry RETRY =
      Retry.attempts(3)
          .backoff(Duration.ZERO, Duration.ZERO)
          .attemptTimeout(Duration.ofSeconds(1))
          .budget(0, 10);

  private final IOException why = new IOException("failed");
  private final CancellationException cancelled = new CancellationException("given up");
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
          .retry(RETRY)
          .build();

  /** Of whose command the calls are. */
  private final Attempt<String, String> pattern = pattern();

  private final Retries<String, String> retries =
      new Retries<>(pattern.pipeline, new RetryRules(pattern.pipeline.runtime, RETRY, null));

  private final Execution<String, String> whole = whole(false);

  @SuppressWarnings("unchecked") // the call that the work of this command sees
  private Attempt<String, String> pattern() {
    assertThat(command.execute("x")).isEqualTo("x");
    return (Attempt<String, String>) Objects.requireNonNull(seen.get());
  }

  private Execution<String, String> whole(boolean callerStays) {
    return new Execution<>(pattern.pipeline, pattern.plan, "x", null, callerStays, time.nanoTime());
  }

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private RetryToken drawn() {
    long now = time.nanoTime();
    return Objects.requireNonNull(
        pattern.pipeline.runtime.retryBudget().draw(0, 100, () -> 0, now));
  }

  /** At its first attempt, which is under way. */
  private static RetriedCall<String, String> begun(Execution<String, String> whole) {
    RetriedCall<String, String> call = new RetriedCall<>(whole);
    Attempt<String, String> unused = call.first(0);
    whole.share = call;
    assertThat(whole.openAttempts()).isTrue();
    return call;
  }

  private static Attempt<String, String> current(RetriedCall<String, String> call) {
    return Objects.requireNonNull(call.current());
  }

  /** The present attempt has failed, and its owner does not say so to its call. */
  private void failLost(RetriedCall<String, String> call) {
    assertThat(whole.pipeline.abandonment.giveUp(current(call), EventType.FAILURE, why, false))
        .isTrue();
  }

  @Test
  void deadline_whileAnAttemptIsUnderWay_isLeftToThat() {
    RetriedCall<String, String> call = begun(whole);

    assertThat(retries.outOfTime(whole)).isFalse();

    assertThat(whole.isRetrying()).isTrue();
    assertThat(current(call).isClaimed()).isFalse();
  }

  @Test
  void call_thatHasEnded_isEndedByNobodyElse() {
    RetriedCall<String, String> call = begun(whole);
    assertThat(retries.cancels(whole, cancelled)).isTrue();
    assertThat(whole.has(EventType.CANCELLED)).isTrue();

    assertThat(retries.cancels(whole, cancelled)).isFalse();
    assertThat(call.endsCancelled(cancelled)).isFalse();
    assertThat(call.endsWithLastFailure()).isFalse();
    assertThat(call.endsWithCurrent()).isFalse();
    assertThat(call.endsWith(current(call), EventType.FAILURE, why)).isFalse();
    assertThat(whole.cause).isSameAs(cancelled);
    assertThat(whole.has(EventType.FAILURE)).isFalse();
  }

  @Test
  void cancelling_anAttempt_cancelsItsCall() {
    RetriedCall<String, String> call = begun(whole);
    Attempt<String, String> first = current(call);

    assertThat(first.cancel(false)).isTrue();

    assertThat(whole.isAnswered()).isTrue();
    assertThat(whole.error()).isInstanceOf(CancellationException.class);
    assertThat(first.isAnswered()).isTrue();
    assertThat(first.cancel(false)).isFalse();
    assertThat(first.giveUp(false)).isFalse();
  }

  @Test
  void givingAnAttemptUp_endsItOnce_andLeavesItsCall() {
    RetriedCall<String, String> call = begun(whole);
    Attempt<String, String> first = current(call);

    assertThat(first.giveUp(false)).isTrue();

    assertThat(first.giveUp(false)).isFalse();
    assertThat(whole.isAnswered()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lostAttempt_endsItsCall_howeverThatIsDelivered(boolean asAnError) {
    RetriedCall<String, String> call = begun(whole);
    failLost(call);
    assertThat(whole.isAnswered()).isFalse();

    if (asAnError) {
      call.onError(why);
    } else {
      call.onValue("unused");
    }

    Scenario.await().until(whole::isAnswered);
    assertThat(whole.error()).isSameAs(why);
  }

  @Test
  void lostAttempt_ofACallerThatWaits_isFoundByThat() {
    Execution<String, String> waited = whole(true);
    failLost(begun(waited));

    retries.awaitHere(waited);

    assertThat(waited.isAnswered()).isTrue();
    assertThat(waited.error()).isSameAs(why);
  }

  /**
   * The caller has published the ending of an attempt that the pool's thread owns. That thread then
   * has the next attempt begin. A third thread delivers what was published, perhaps later.
   */
  @Test
  void endingOfAnEarlierAttempt_deliveredWhileTheNextIsUnderWay_endsNothing() {
    RetriedCall<String, String> call = new RetriedCall<>(whole, EventType.FAILURE, why);
    whole.share = call;
    call.holds(drawn());
    assertThat(whole.openAttempts()).isTrue();
    Attempt<String, String> next = Objects.requireNonNull(call.next(time.nanoTime()));

    call.publish("unused", why);
    call.onError(why);
    call.onValue("unused");

    assertThat(call.endsWithCurrent()).isFalse();
    assertThat(whole.isRetrying()).isTrue();
    assertThat(next.isClaimed()).isFalse();
  }

  /** Its caller had no memory to wait for it, and comes here. */
  @Test
  void attemptUnderWay_isWaitedFor() {
    CompletableFuture<Thread> caller = new CompletableFuture<>();
    CompletableFuture<Attempt<String, String>> underWay = new CompletableFuture<>();
    CompletableFuture<Execution<String, String>> attempted =
        Elsewhere.call(
            () -> {
              Execution<String, String> waited = whole(true);
              RetriedCall<String, String> call = begun(waited);
              underWay.complete(current(call));
              caller.complete(Thread.currentThread());
              retries.awaitHere(waited);
              return waited;
            });
    Scenario.await()
        .until(
            () -> attempted.isDone() || caller.isDone() && time.waiting().contains(caller.join()));
    assertThat(attempted).isNotDone();

    assertThat(underWay.join().giveUp(false)).isTrue();

    assertThat(attempted).succeedsWithin(PatientWaits.patience());
    assertThat(attempted.join().isRetrying()).isTrue(); // how it ends is for the next look to say
  }

  @Test
  void events_areCountedAsOftenAsAttemptsEndedWithThem() {
    RetriedCall<String, String> call = new RetriedCall<>(whole, EventType.FAILURE, why);
    whole.share = call;
    assertThat(call.times(EventType.FAILURE, true)).isOne();
    assertThat(call.times(EventType.RETRY, true)).isZero();
    assertThat(call.times(EventType.SUCCESS, true)).isZero();
    assertThat(call.times(EventType.CANCELLED, true)).isOne();
    assertThat(call.times(EventType.CANCELLED, false)).isZero();
    call.holds(drawn());
    assertThat(whole.openAttempts()).isTrue();

    assertThat(call.next(time.nanoTime())).isNotNull();
    failLost(call);

    assertThat(call.times(EventType.FAILURE, true)).isEqualTo(2);
    assertThat(call.times(EventType.RETRY, true)).isOne();
  }

  @Test
  void wait_isKept_forTheOneAfterIt() {
    RetriedCall<String, String> call = begun(whole);

    call.waits(5, 100);

    assertThat(call.delayNanos()).isEqualTo(5);
    assertThat(call.dueNanos()).isEqualTo(105);
    assertThat(call.current()).isNull();
  }

  private RetriedCall<String, String> succeededLost() {
    RetriedCall<String, String> call = begun(whole);
    Attempt<String, String> first = current(call);
    Execution.Claim unused = first.claim();
    first.decideAfterRetries(EventType.SUCCESS, "y", null, false);
    return call;
  }

  @Test
  void successOfALostAttempt_isCounted() {
    RetriedCall<String, String> call = succeededLost();
    assertThat(call.times(EventType.SUCCESS, true)).isZero();

    assertThat(call.endsWithCurrent()).isTrue();

    assertThat(whole.value()).isEqualTo("y");
    assertThat(call.times(EventType.SUCCESS, true)).isOne();
    assertThat(Scenario.counted(command, EventType.SUCCESS)).isEqualTo(2);
  }

  /** It was drawn, and something fails where it begins: here there is nothing to be spent. */
  @Test
  void nextAttempt_thatCannotBegin_leavesTheFailure_andThatIsLogged() throws Exception {
    SwitchedLogging.requireInstalled();
    Execution<String, String> waited = whole(true);
    RetriedCall<String, String> call = new RetriedCall<>(waited, EventType.FAILURE, why);
    waited.share = call;
    assertThat(waited.openAttempts()).isTrue();
    call.waits(0, time.nanoTime());
    List<String> loggers = new CopyOnWriteArrayList<>();

    try (AutoCloseable switched = SwitchedLogging.on(loggers::add)) {
      retries.awaitHere(waited);
      Scenario.await()
          .until(() -> loggers.stream().anyMatch(logger -> logger.endsWith("FailureLog")));
    }

    assertThat(waited.isAnswered()).isTrue();
    assertThat(waited.error()).isSameAs(why);
  }
}
