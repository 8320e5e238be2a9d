// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The deadline of a call comes when an attempt with a time-out of its own has succeeded in time,
 * and its thread has yet to count that. What happens there is done by the clock that the thread
 * reads at that point.
 */
class AttemptTooLateTest {

  private static final StackWalker STACK = StackWalker.getInstance();

  private final ManualTime time = new ManualTime();

  /** Done once, where an ending is counted that was claimed; null when it was done. */
  private final AtomicReference<@Nullable Runnable> atTheClaim = new AtomicReference<>();

  private final CompletableFuture<String> answer = new CompletableFuture<>();
  private final CompletableFuture<String> never = new CompletableFuture<>();

  private long readTime() {
    if (atTheClaim.get() != null && isCounting()) {
      Runnable interlude = atTheClaim.getAndSet(null);
      if (interlude != null) {
        interlude.run();
      }
    }
    return time.nanoTime();
  }

  private static boolean isCounting() {
    return STACK.walk(
        frames ->
            frames.anyMatch(
                frame ->
                    frame.getClassName().endsWith(".Completion")
                        && frame.getMethodName().equals("record")));
  }

  /** Closing looks again and again, by this clock. */
  private void close(Tenrec tenrec) {
    CompletableFuture<?> closed = Elsewhere.call(() -> tenrec.close(Duration.ofSeconds(5)));
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(2);
              return closed.isDone();
            });
    assertThat(closed).isCompleted();
  }

  @Test
  void success_thatIsAboutToBeCounted_isTheAnswer_andNoFallbackIsAsked() {
    assertSucceeds(
        (call, after) -> {
          time.advanceMillis(1_001);
          Scenario.await().until(after::isDone); // so the timer is past the call's deadline
        });
  }

  /** The timer takes the thread for lost that is about to count it, and ends the call with it. */
  @Test
  void success_thatAnotherThreadEndsTheCallWith_isCountedOnce() {
    assertSucceeds(
        (call, after) -> {
          time.advanceMillis(1_001);
          Scenario.await().until(after::isDone);
          Scenario.await()
              .until(
                  () -> {
                    time.advanceMillis(10);
                    return call.isDone();
                  });
        });
  }

  private void assertSucceeds(
      BiConsumer<CompletableFuture<String>, CompletableFuture<String>> interlude) {
    Ticker ticker = this::readTime;
    Tenrec tenrec = Tenrec.builder().time(ticker, time).build();
    try {
      Command<String, String> command =
          tenrec
              .command("Subject", (String x) -> answer.get())
              .isolation(Isolation.threadPool().coreSize(1))
              .timeout(Duration.ofSeconds(1))
              .retry(Retry.attempts(2).attemptTimeout(Duration.ofMillis(100)))
              .fallback((argument, cause) -> "fallback")
              .build();
      Command<String, String> later =
          tenrec
              .asyncCommand("Later", (String x) -> never)
              .timeout(Duration.ofMillis(1_001))
              .fallbackValue("timed out")
              .build();
      CompletableFuture<String> call = command.executeAsync("x");
      CompletableFuture<String> after = later.executeAsync("x");
      atTheClaim.set(() -> interlude.accept(call, after));
      answer.complete("in time");

      assertThat(call).succeedsWithin(PatientWaits.patience()).isEqualTo("in time");
      assertThat(after).isCompletedWithValue("timed out");
      Scenario.assertCounted(command, EventType.SUCCESS);
      Scenario.await().until(() -> command.view().concurrency() == 0);
      Account.of(command.view()).assertBalanced();
    } finally {
      never.complete("");
      close(tenrec);
    }
  }
}
