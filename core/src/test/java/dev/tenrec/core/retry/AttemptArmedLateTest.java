// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * The deadline of a call passes while its first attempt is still at the gates: the timer sees the
 * call's deadline first, and that of the attempt later, when no thread is free to decide whether
 * another attempt follows.
 */
class AttemptArmedLateTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofMillis(100);

  private final ManualTime time = new ManualTime();
  private final CountDownLatch hanging = new CountDownLatch(1);

  private final Tenrec tenrec = Tenrec.builder().time(time, time).callbacks(1, 100).build();

  /** Of a call that is ended by the timer after all that is due when {@code TIMEOUT} is over. */
  private CompletableFuture<String> startLater() {
    return tenrec
        .asyncCommand("Later", (String x) -> new CompletableFuture<String>())
        .timeout(TIMEOUT.plusMillis(1))
        .fallbackValue("timed out")
        .build()
        .executeAsync("x");
  }

  /** The function that finds a rate's key runs at the gates. */
  private String key(String argument) {
    if (argument.equals("subject")) {
      CompletableFuture<String> later = startLater();
      time.advance(TIMEOUT.plusMillis(1));
      Scenario.await().until(later::isDone);
    }
    return argument;
  }

  private boolean hang() {
    Uninterruptibly.await(hanging);
    return false;
  }

  @Test
  void deadline_thatTheTimerSeesBeforeTheAttempts_endsTheCall_whateverUsersCodeDoes() {
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", (String x) -> new CompletableFuture<String>())
            .timeout(TIMEOUT)
            .rateLimit(1_000_000, Duration.ofSeconds(1), 1_000)
            .rateLimitKey(this::key)
            .retry(Retry.attempts(2).attemptTimeout(LIMIT).onlyIf(thrown -> hang()))
            .build();
    try {
      // more than its share has threads; each hangs there, or waits for one that does
      for (int i = 0; i < 4; i++) {
        assertThat(command.executeAsync("hostage")).isNotDone();
      }
      time.advance(LIMIT);
      Scenario.await().until(() -> command.view().cumulativeCount(EventType.TIMEOUT) == 4);

      assertThat(command.executeAsync("subject"))
          .failsWithin(PatientWaits.patience())
          .withThrowableThat()
          .withCauseInstanceOf(CommandTimeoutException.class);
    } finally {
      hanging.countDown();
    }
    Scenario.await().until(() -> command.view().cumulativeCount(EventType.TIMEOUT) == 5);
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
