// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A caller that waits for the thread which has claimed its ending, and not published it yet. */
class OwnedEndingTest {

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
    CommandView view =
        tenrec
            .command("Subject", (String argument) -> argument)
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
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
  private static final class NoFurtherAttempt implements FurtherAttempts {

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
      Execution<String, String> call, EventType event, Exception cause, boolean counted) {
    assertThat(call.pipeline.completion.claimed(call, event, null, cause)).isTrue();
    assertThat(counted && !call.takeAccount()).isFalse();
    Thread caller = call.caller;
    long began = time.nanoTime();
    goOn.countDown();
    while (!answered.isDone()) {
      await().until(() -> answered.isDone() || time.waiting().contains(caller));
      time.advanceMillis(2);
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
    Execution<String, String> call = call(pipeline(null, null));
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

  @Test
  void owner_thatHasNotAskedTheFallback_isReplacedByTheCaller_whichAsksIt() {
    Execution<String, String> call = call(pipeline((argument, cause) -> "fallback", null));

    assertThat(millisUntilTakenOver(call, EventType.FAILURE, new IOException("failed"), false))
        .isGreaterThanOrEqualTo(20);
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
