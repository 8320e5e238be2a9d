// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The deadline of a call passes while a predicate is asked whether another attempt follows, which
 * it says. The timer has seen the deadline, and comes no more; the threads that would begin the
 * attempt hang in user code.
 */
class DeadlineWhileDecidingTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** How long before the deadline its first attempt fails, and after it the predicate answers. */
  private static final Duration MOMENT = Duration.ofMillis(100);

  private final ManualTime time = new ManualTime();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final Thread caller = Thread.currentThread();
  private final CompletableFuture<String> stage = new CompletableFuture<>();

  private final Tenrec tenrec = Tenrec.builder().time(time, time).callbacks(1, 100).build();

  private CompletableFuture<String> begin(String argument) {
    return argument.equals("subject")
        ? stage
        : CompletableFuture.failedFuture(new IOException("at once"));
  }

  /** The second attempt of a hostage is at its gates. */
  private String key(String argument) {
    if (Thread.currentThread() != caller) {
      Uninterruptibly.await(hanging);
    }
    return argument;
  }

  private boolean isRetried(Throwable failure) {
    if (failure.getMessage().equals("late")) {
      CompletableFuture<String> later =
          tenrec
              .asyncCommand("Later", (String x) -> new CompletableFuture<String>())
              .timeout(MOMENT.multipliedBy(2))
              .fallbackValue("timed out")
              .build()
              .executeAsync("x");
      time.advance(MOMENT.multipliedBy(2));
      Scenario.await().until(later::isDone); // the timer has done all that was due before
    }
    return true;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deadline_thatPassesWhileItIsDecidedWhetherARetryFollows_endsTheCall(boolean limited) {
    Retry retry =
        Retry.attempts(2)
            .backoff(Duration.ZERO, Duration.ZERO)
            .howeverLittleTimeIsLeft()
            .budget(0, 100)
            .onlyIf(this::isRetried);
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", this::begin)
            .timeout(TIMEOUT)
            .withoutCircuitBreaker()
            .rateLimit(1_000_000, Duration.ofSeconds(1), 1_000)
            .rateLimitKey(this::key)
            .retry(limited ? retry.attemptTimeout(TIMEOUT.multipliedBy(2)) : retry)
            .build();
    try {
      CompletableFuture<String> subject = command.executeAsync("subject");
      time.advance(TIMEOUT.minus(MOMENT));
      // more than its share has threads; each hangs there, or waits for one that does, in time
      for (int i = 0; i < 4; i++) {
        assertThat(command.executeAsync("hostage")).isNotDone();
      }

      stage.completeExceptionally(new IOException("late"));

      assertThat(subject)
          .failsWithin(PatientWaits.patience())
          .withThrowableThat()
          .havingRootCause()
          .withMessage("late");
    } finally {
      hanging.countDown();
    }
    CompletableFuture<?> closed = Elsewhere.call(() -> tenrec.close(Duration.ofSeconds(5)));
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(2); // closing looks again and again, by this clock
              return closed.isDone();
            });
    LeakGuard.assertQuiet(tenrec);
  }
}
