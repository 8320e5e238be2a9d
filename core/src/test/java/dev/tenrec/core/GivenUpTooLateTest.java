// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Between the moment an execution's ending is decided and the moment its future is told, the future
 * can still be cancelled or completed by somebody else. What its caller sees has to be what was
 * counted. An executor that takes its time makes that moment as long as one likes.
 */
class GivenUpTooLateTest {

  enum GivingUp {
    CANCEL(future -> future.cancel(true)),
    COMPLETE(future -> future.complete("somebody else's")),
    COMPLETE_EXCEPTIONALLY(
        future -> future.completeExceptionally(new IllegalStateException("somebody else's")));

    final Predicate<CompletableFuture<String>> way;

    GivingUp(Predicate<CompletableFuture<String>> way) {
      this.way = way;
    }
  }

  @ParameterizedTest
  @EnumSource
  void giveUp_afterTheTimeoutWasCounted_changesNothing(GivingUp givingUp) throws Exception {
    BlockingQueue<Runnable> handedOver = new LinkedBlockingQueue<>();
    try (Tenrec tenrec = Tenrec.builder().callbackExecutor(handedOver::add).build()) {
      Command<String, String> late =
          tenrec
              .asyncCommand("Late", (String s) -> new CompletableFuture<String>())
              .timeout(Duration.ofMillis(20))
              .fallback((s, cause) -> "the fallback's")
              .build();
      CompletableFuture<String> future = late.executeAsync("x");
      Runnable rest = handedOver.poll(10, TimeUnit.SECONDS);
      assertThat(rest).as("what the timer hands over").isNotNull();
      assertThat(late.view().cumulativeCount(EventType.TIMEOUT)).isOne();

      assertThat(givingUp.way.test(future)).isFalse();
      assertThat(future.isDone()).isFalse();
      rest.run();

      assertThat(future.get(10, TimeUnit.SECONDS)).isEqualTo("the fallback's");
      assertThat(late.view().cumulativeCount(EventType.FALLBACK_SUCCESS)).isOne();
      assertThat(late.view().cumulativeCount(EventType.CANCELLED)).isZero();
      handedOver.forEach(Runnable::run);
    }
  }
}
