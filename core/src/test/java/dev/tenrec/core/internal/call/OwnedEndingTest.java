// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CommandView;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A caller that waits for the thread which has claimed its ending, and not published it yet. */
class OwnedEndingTest {

  /** More than any owner is waited for. */
  private static final Duration FOR_EVER = Duration.ofSeconds(5);

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** When the caller had its answer. */
  private final CompletableFuture<Long> answered = new CompletableFuture<>();

  @AfterEach
  void close() {
    tenrec.close(Duration.ZERO);
  }

  /** It comes too late to give the call up, and must not be lost for that. */
  @Test
  void interrupt_whileAnotherThreadOwnsTheEnding_isKept() throws Exception {
    CommandView view =
        tenrec
            .command("Subject", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .build()
            .view();
    WorkBody<String, String> body = new WorkBody.Plain<>(argument -> argument);
    Pipeline<String, String> pipeline =
        new Pipeline<>(Inside.runtime(view), body, null, Classification.DEFAULT, null);
    AtomicReference<Execution<String, String>> made = new AtomicReference<>();
    CountDownLatch owned = new CountDownLatch(1);
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    Thread caller =
        Elsewhere.start(
            () -> {
              Execution<String, String> own =
                  pipeline.waitingHere(pipeline.runtime.plan(), "argument");
              made.set(own);
              Uninterruptibly.await(owned);
              Thread.currentThread().interrupt();
              CallerWait.untilAnswered(own, pipeline.runtime.engine);
              kept.complete(Thread.currentThread().isInterrupted());
            });
    await().until(() -> made.get() != null);
    Execution<String, String> call = made.get();
    Exception cause = new BadRequestException("of the owner");
    assertThat(pipeline.completion.claimed(call, EventType.BAD_REQUEST, null, cause)).isTrue();
    owned.countDown();
    await().until(() -> time.waiting().contains(caller));
    assertThat(call.isAnswered()).isFalse();

    pipeline.conclude(call, EventType.BAD_REQUEST, cause);

    assertThat(kept.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(call.error()).isSameAs(cause);
  }

  private Pipeline<String, String> pipeline(
      @Nullable Fallback<String, String> fallback, @Nullable FurtherAttempts further) {
    return pipeline(CommandBuilder::withoutTimeout, fallback, further);
  }

  private Pipeline<String, String> pipeline(
      UnaryOperator<CommandBuilder<String, String>> timeout,
      @Nullable Fallback<String, String> fallback,
      @Nullable FurtherAttempts further) {
    CommandView view =
        timeout
            .apply(
                tenrec
                    .command("Subject", (String argument) -> argument)
                    .isolation(Isolation.semaphore(1)))
            .build()
            .view();
    return new Pipeline<>(
        Inside.runtime(view),
        new WorkBody.Plain<>(argument -> argument),
        fallback,
        Classification.DEFAULT,
        null,
        null,
        further == null ? null : pipeline -> further);
  }

  /** Another attempt may follow a failure, and none does. */
  private static class NoFurtherAttempt implements FurtherAttempts {

    @Override
    public boolean takes(ExecutionState whole) {
      return false;
    }

    @Override
    public boolean goesOn(ExecutionState ended, EventType event, @Nullable Throwable cause) {
      return false;
    }

    @Override
    public boolean followRefusals() {
      return false;
    }

    @Override
    public void awaitHere(ExecutionState whole) {
      throw new AssertionError("none was opened");
    }

    @Override
    public boolean cancels(ExecutionState whole, Throwable why) {
      return false;
    }

    @Override
    public boolean outOfTime(ExecutionState whole) {
      return false;
    }
  }

  /**
   * The caller of this call waits, and its owner does not come back after the claim.
   *
   * @param counted whether the owner has counted the answer before
   * @return after how many milliseconds of that the caller had its answer
   */
  private long millisUntilTakenOver(
      Execution<String, String> call, EventType event, @Nullable Exception cause, boolean counted) {
    assertThat(call.pipeline.completion.claimed(call, event, null, cause)).isTrue();
    assertThat(counted && !call.takeAccount()).isFalse();
    long began = time.nanoTime();
    goOn.countDown();
    while (!answered.isDone()) {
      assertThat(time.nanoTime() - began).as("the caller waits").isLessThan(FOR_EVER.toNanos());
      passWhileTheCallerWaits(call);
    }
    return (answered.join() - began) / 1_000_000;
  }

  /** A call whose caller is about to wait for its ending. */
  private Execution<String, String> call(Pipeline<String, String> pipeline) {
    CompletableFuture<Execution<String, String>> made = new CompletableFuture<>();
    var unused =
        Elsewhere.start(
            () -> {
              Execution<String, String> own =
                  pipeline.waitingHere(pipeline.runtime.plan(), "argument");
              made.complete(own);
              Uninterruptibly.await(goOn);
              CallerWait.untilAnswered(own, pipeline.runtime.engine);
              answered.complete(time.nanoTime());
            });
    await().until(made::isDone);
    return made.join();
  }

  @Test
  void owner_thatDoesNotComeBack_isReplacedByTheCaller() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "not asked", null));
    Exception cause = new BadRequestException("of the owner");

    assertThat(millisUntilTakenOver(call, EventType.BAD_REQUEST, cause, false))
        .isGreaterThanOrEqualTo(20);
    assertThat(call.error()).isSameAs(cause);
  }

  /** It is about to publish the answer, unless it has died. */
  @Test
  void owner_thatHasCountedTheAnswer_isReplacedMuchLater() {
    Execution<String, String> call = call(pipeline(null, null));
    Exception cause = new BadRequestException("of the owner");

    assertThat(millisUntilTakenOver(call, EventType.BAD_REQUEST, cause, true))
        .isGreaterThanOrEqualTo(25 * 20);
    assertThat(call.error()).isSameAs(cause);
  }

  /** As that of a step that broke: it is counted as it is, so no fallback may answer any more. */
  @Test
  void owner_thatHasCountedAFailure_isReplacedMuchLater_andNoFallbackIsAsked() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "not asked", null));
    IOException cause = new IOException("failed");

    assertThat(millisUntilTakenOver(call, EventType.FAILURE, cause, true))
        .isGreaterThanOrEqualTo(25 * 20);
    assertThat(call.error()).isSameAs(cause);
  }

  @Test
  void owner_thatHasNotAskedTheFallback_isReplacedByTheCaller_whichAsksIt() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "fallback", null));

    assertThat(millisUntilTakenOver(call, EventType.FAILURE, new IOException("failed"), false))
        .isBetween(20L, 10 * 20L - 1);
    assertThat(call.value()).isEqualTo("fallback");
  }

  /** On a busy machine it may be held up before it begins that attempt. */
  @Test
  void owner_thatMayBeginAnotherAttempt_isReplacedLater() {
    Execution<String, String> call =
        call(pipeline((argument, cause) -> "fallback", new NoFurtherAttempt()));

    assertThat(millisUntilTakenOver(call, EventType.FAILURE, new IOException("failed"), false))
        .isGreaterThanOrEqualTo(10 * 20);
    assertThat(call.value()).isEqualTo("fallback");
  }

  /** No attempt follows a success. */
  @Test
  void owner_thatHasASuccess_isReplacedAtOnce_evenWhereAnotherAttemptMayFollowAFailure() {
    Execution<String, String> call = call(pipeline(null, new NoFurtherAttempt()));

    assertThat(millisUntilTakenOver(call, EventType.SUCCESS, null, false))
        .isBetween(20L, 10 * 20L - 1);
    assertThat(call.error()).isNull();
  }

  /** Nor does one follow past the deadline. */
  @Test
  void owner_thatIsLate_isReplacedAtOnce_evenWhereAnotherAttemptMayFollow() {
    Execution<String, String> call =
        call(
            pipeline(
                builder -> builder.timeout(Duration.ofMillis(10)),
                (argument, cause) -> "fallback",
                new NoFurtherAttempt()));

    assertThat(millisUntilTakenOver(call, EventType.FAILURE, new IOException("failed"), false))
        .isBetween(20L, 10 * 20L - 1);
    assertThat(call.value()).isEqualTo("fallback");
  }

  @Test
  void owner_thatHasCancelledTheCall_isReplacedByTheCaller_whichAsksNoFallback() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "not asked", null));
    Exception cause = new CancellationException("of the owner");

    assertThat(millisUntilTakenOver(call, EventType.CANCELLED, cause, false))
        .isGreaterThanOrEqualTo(20);
    assertThat(call.error()).isSameAs(cause);
    assertThat(call.events()).containsExactly(EventType.CANCELLED);
  }

  @Test
  void owner_thatComesBack_hasTheCallerRunTheFallbackAtOnce() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "fallback", null));
    IOException cause = new IOException("failed");
    assertThat(call.pipeline.completion.claimed(call, EventType.FAILURE, null, cause)).isTrue();
    goOn.countDown();
    await().until(() -> time.waiting().contains(call.caller));

    call.pipeline.conclude(call, EventType.FAILURE, cause);

    assertThat(answered).succeedsWithin(PatientWaits.patience());
    assertThat(call.value()).isEqualTo("fallback");
  }

  /** It sleeps without an end, and knows nothing of an ending. */
  @Test
  void owner_thatHasDied_hasTheSleepingCallerRunTheFallback() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "fallback", null));
    goOn.countDown();
    await().until(() -> time.waiting().contains(call.caller));
    IOException cause = new IOException("failed");
    assertThat(call.pipeline.completion.claimed(call, EventType.FAILURE, null, cause)).isTrue();
    call.pipeline.abandonment.leaveToOwner(call);

    time.advanceMillis(51);

    assertThat(answered).succeedsWithin(PatientWaits.patience());
    assertThat(call.value()).isEqualTo("fallback");
  }

  /** As that of an attempt, which ends the whole call. */
  @Test
  void deadline_thatTheTimerFinds_hasTheSleepingCallerRunTheFallback() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "fallback", null));
    goOn.countDown();
    await().until(() -> time.waiting().contains(call.caller));

    call.pipeline.abandonment.expired(call); // as by the timer

    assertThat(answered).succeedsWithin(PatientWaits.patience());
    assertThat(call.value()).isEqualTo("fallback");
  }

  @Test
  void owner_thatComesBack_hasTheCallerGoOnWithAttemptsAtOnce() {
    FurtherAttempts oneMore =
        new NoFurtherAttempt() {
          @Override
          public boolean goesOn(ExecutionState ended, EventType event, @Nullable Throwable cause) {
            return ended.openRetry();
          }

          @Override
          public void awaitHere(ExecutionState whole) {
            assertThat(whole.claimRetry()).isTrue();
            Execution<?, ?> execution = (Execution<?, ?>) whole;
            execution.decideAfterRetries(EventType.SUCCESS, null, null, false);
            assertThat(execution.publish()).isTrue();
          }
        };
    Execution<String, String> call = call(pipeline(null, oneMore));
    IOException cause = new IOException("failed");
    assertThat(call.pipeline.completion.claimed(call, EventType.FAILURE, null, cause)).isTrue();
    goOn.countDown();
    await().until(() -> time.waiting().contains(call.caller));

    call.pipeline.conclude(call, EventType.FAILURE, cause);
    call.pipeline.runtime.engine.waiter().wake(call.caller);

    assertThat(answered).succeedsWithin(PatientWaits.patience());
    assertThat(call.error()).isNull();
  }

  /** Closing publishes what is decided; only what a fallback would answer it ends itself. */
  @Test
  void owner_thatHasASuccess_andDoesNotComeBack_hasItPublishedByClosing() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "not asked", null));
    assertThat(call.pipeline.completion.claimed(call, EventType.SUCCESS, "done", null)).isTrue();

    assertThat(call.abort(new CancellationException("closed"))).isFalse();

    assertThat(call.isAnswered()).isTrue();
    assertThat(call.error()).isNull();
    assertThat(call.value()).isEqualTo("done");
    goOn.countDown();
    assertThat(answered).succeedsWithin(PatientWaits.patience());
  }

  @Test
  void owner_thatHasNotAskedTheFallback_andDoesNotComeBack_isReplacedByClosing() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "not asked", null));
    IOException cause = new IOException("failed");
    CancellationException closed = new CancellationException("closed");
    assertThat(call.pipeline.completion.claimed(call, EventType.FAILURE, null, cause)).isTrue();

    assertThat(call.abort(closed)).isTrue();

    assertThat(call.isAnswered()).isTrue();
    assertThat(call.error()).isSameAs(closed);
    goOn.countDown();
    assertThat(answered).succeedsWithin(PatientWaits.patience());
  }

  /** It shows that the thread is alive: the next ending is as another one's. */
  @Test
  void owner_thatCameLateForTheAttemptBefore_hasAllItsTimeAgain() {
    IOException why = new IOException("failed again");
    CompletableFuture<Long> decidedAgain = new CompletableFuture<>();
    FurtherAttempts last =
        new NoFurtherAttempt() {
          @Override
          public void awaitHere(ExecutionState whole) { // the attempt fails at once
            assertThat(whole.claimRetry()).isTrue();
            ((Execution<?, ?>) whole).decideAfterRetries(EventType.FAILURE, null, why, false);
            decidedAgain.complete(time.nanoTime());
          }
        };
    Execution<String, String> call = call(pipeline((argument, cause) -> "fallback", last));
    IOException first = new IOException("failed");
    assertThat(call.pipeline.completion.claimed(call, EventType.FAILURE, null, first)).isTrue();
    goOn.countDown();
    for (int i = 0; i < 60; i++) { // more than half of the time that the owner has
      passWhileTheCallerWaits(call);
    }
    assertThat(call.openRetry()).isTrue();
    while (!answered.isDone()) {
      passWhileTheCallerWaits(call);
    }

    assertThat(answered.join() - decidedAgain.join()).isGreaterThanOrEqualTo(10 * 20_000_000L);
    assertThat(call.value()).isEqualTo("fallback");
    assertThat(call.outcome().cause()).isSameAs(why);
  }

  private void passWhileTheCallerWaits(Execution<String, String> call) {
    await().until(() -> answered.isDone() || time.waiting().contains(call.caller));
    time.advanceMillis(2);
  }

  /** Between the claim and the decision: what fails there leaves the call without an end. */
  @Test
  void adopt_always_takesNoMemory() {
    CommandView view = tenrec.command("Subject", (String argument) -> argument).build().view();
    WorkBody<String, String> body = new WorkBody.Plain<>(argument -> argument);
    Pipeline<String, String> pipeline =
        new Pipeline<>(Inside.runtime(view), body, null, Classification.DEFAULT, null);
    Outcome<String> ended =
        new Outcome<>(
            "Subject",
            "x",
            null,
            null,
            null,
            1 << EventType.SUCCESS.ordinal(),
            5_000_000,
            6_000_000);
    Duration worked = ended.executionLatency();
    Execution<String, String> call = pipeline.waitingHere(pipeline.runtime.plan(), "x");
    pipeline.waitingHere(pipeline.runtime.plan(), "x").adopt(ended, worked); // links it
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long unused = threads.getCurrentThreadAllocatedBytes();

    long before = threads.getCurrentThreadAllocatedBytes();
    call.adopt(ended, worked);
    long after = threads.getCurrentThreadAllocatedBytes();

    assertThat(after - before).isZero();
    assertThat(call.value()).isEqualTo("x");
    assertThat(call.executionLatency()).isEqualTo(worked);
  }
}
