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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The only attempt of a call that may be hedged succeeds just as the call ends otherwise: between
 * the claim of the attempt's ending and that of the call's. What happens there is done by the clock
 * that the attempt reads at that point.
 */
class HedgeTooLateTest {

  private static final StackWalker STACK = StackWalker.getInstance();

  private final ManualTime time = new ManualTime();

  /** Done once, where an ending is counted that was claimed; null when it was done. */
  private final AtomicReference<@Nullable Runnable> atTheClaim = new AtomicReference<>();

  private final CompletableFuture<String> answer = new CompletableFuture<>();

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

  private Command<String, String> hedged(Tenrec tenrec) {
    return tenrec
        .command("Subject", (String x) -> answer.get())
        .isolation(Isolation.threadPool().coreSize(2))
        .timeout(Duration.ofSeconds(1))
        .hedge(Hedge.after(Duration.ofSeconds(10)))
        .build();
  }

  private Tenrec tenrec() {
    Ticker ticker = this::readTime;
    return Tenrec.builder().time(ticker, time).build();
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
  void timeOut_ofACallWhoseOnlyAttemptIsAboutToSucceed_isCounted() {
    Tenrec tenrec = tenrec();
    try {
      Command<String, String> command = hedged(tenrec);
      CompletableFuture<String> call = command.executeAsync("x");
      atTheClaim.set(
          () -> {
            time.advance(Duration.ofSeconds(1));
            Scenario.await().until(call::isDone);
          });
      answer.complete("too late");

      assertThat(call).failsWithin(PatientWaits.patience());
      Scenario.awaitCounted(
          command, EventType.TIMEOUT, EventType.FALLBACK_MISSING, EventType.EXCEPTION_THROWN);
    } finally {
      close(tenrec);
    }
  }

  @Test
  void cancellation_ofACallWhoseOnlyAttemptIsAboutToSucceed_isCountedOnce() {
    Tenrec tenrec = tenrec();
    try {
      Command<String, String> command = hedged(tenrec);
      CompletableFuture<String> call = command.executeAsync("x");
      atTheClaim.set(() -> assertThat(call.cancel(true)).isTrue());
      answer.complete("too late");

      Scenario.await().until(() -> atTheClaim.get() == null);
      Scenario.await().until(() -> command.view().concurrency() == 0);
      Scenario.awaitCounted(command, EventType.CANCELLED);
      Account.of(command.view()).assertBalanced();
    } finally {
      close(tenrec);
    }
  }
}
