// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Between the time-out of a call and the completion of its future, the future can still be
 * cancelled or completed from outside. What its caller sees has to be what was counted. An executor
 * that takes its time makes that moment as long as one likes.
 */
class GivenUpTooLateTest {

  enum Abandonment {
    CANCEL(future -> future.cancel(true)),
    COMPLETE(future -> future.complete("somebody else's")),
    COMPLETE_EXCEPTIONALLY(
        future -> future.completeExceptionally(new IllegalStateException("somebody else's")));

    final Predicate<CompletableFuture<String>> way;

    Abandonment(Predicate<CompletableFuture<String>> way) {
      this.way = way;
    }
  }

  @ParameterizedTest
  @EnumSource
  void giveUp_whileTheFallbackWaitsForItsThread_endsTheCallWithoutIt(Abandonment abandonment)
      throws Exception {
    ManualTime time = new ManualTime(); // stands still, so nobody takes the executor for lost
    BlockingQueue<Runnable> handedOver = new LinkedBlockingQueue<>();
    AtomicInteger fallbacks = new AtomicInteger();
    try (Tenrec tenrec =
            Tenrec.builder().time(time, time).callbackExecutor(handedOver::add).build();
        // closing gives up by this clock what is handed over late, and runs nowhere
        Elsewhere.Closing unused = () -> Elsewhere.close(tenrec, time)) {
      Command<String, String> late =
          tenrec
              .asyncCommand("Late", (String s) -> new CompletableFuture<String>())
              .timeout(Duration.ofMillis(20))
              .fallback((s, cause) -> "the fallback's " + fallbacks.incrementAndGet())
              .build();
      CompletableFuture<String> future = late.executeAsync("x");
      time.advanceMillis(20);
      Runnable rest = handedOver.poll(PatientWaits.seconds(), TimeUnit.SECONDS);
      assertThat(rest).as("what the timer hands over").isNotNull();
      assertThat(late.view().cumulativeCount(EventType.TIMEOUT)).isOne();
      assertThat(future.isDone()).isFalse();

      assertThat(abandonment.way.test(future)).isTrue();
      assertThat(future.isDone()).isTrue();
      rest.run();

      assertThat(fallbacks).hasValue(0);
      assertThat(future.isDone()).isTrue();
      assertThat(late.view().cumulativeCount(EventType.CANCELLED)).isOne();
      assertThat(late.view().cumulativeCount(EventType.FALLBACK_SUCCESS)).isZero();
      assertThat(late.view().cumulativeCount(EventType.EXCEPTION_THROWN)).isZero();
      await()
          .until(
              () -> {
                handedOver.forEach(Runnable::run);
                return late.view().concurrency() == 0;
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void giveUp_afterTheTimeoutWasPublished_changesNothing(Abandonment abandonment) throws Exception {
    ManualTime time = new ManualTime();
    BlockingQueue<Runnable> handedOver = new LinkedBlockingQueue<>();
    try (Tenrec tenrec =
            Tenrec.builder().time(time, time).callbackExecutor(handedOver::add).build();
        // closing gives up by this clock what is handed over late, and runs nowhere
        Elsewhere.Closing unused = () -> Elsewhere.close(tenrec, time)) {
      Command<String, String> late =
          tenrec
              .asyncCommand("Late", (String s) -> new CompletableFuture<String>())
              .timeout(Duration.ofMillis(20))
              .build();
      CompletableFuture<String> future = late.executeAsync("x");
      CompletableFuture<Object> dependent = future.handle((v, e) -> e);
      time.advanceMillis(20);

      assertThatThrownBy(() -> future.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .as("seen although what hangs on it has not run")
          .hasCauseInstanceOf(CommandTimeoutException.class);
      assertThat(dependent).isNotDone();
      assertThat(abandonment.way.test(future)).isFalse();

      Runnable rest = handedOver.poll(PatientWaits.seconds(), TimeUnit.SECONDS);
      assertThat(rest).as("what the timer hands over").isNotNull();
      rest.run();
      assertThat(dependent.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(CommandTimeoutException.class);
      assertThat(late.view().cumulativeCount(EventType.EXCEPTION_THROWN)).isOne();
      assertThat(late.view().cumulativeCount(EventType.CANCELLED)).isZero();
      await()
          .until(
              () -> { // the stage's cancellation, which the timer may be about to hand over
                handedOver.forEach(Runnable::run);
                return late.view().concurrency() == 0;
              });
    }
  }
}
