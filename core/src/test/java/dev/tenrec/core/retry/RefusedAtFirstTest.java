// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call that its bulkhead refuses at first, and that waits for its next attempt. */
class RefusedAtFirstTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).callbacks(1, 100).build();
  private final CountDownLatch hanging = new CountDownLatch(1);

  @AfterEach
  void close() {
    hanging.countDown();
    Elsewhere.close(tenrec, time);
  }

  /** Its next attempt is begun in the command's share, whose threads users' code may keep. */
  @Test
  void deadline_ofACallThatWaitsForItsSecondAttempt_endsIt_whateverUsersCodeDoes() {
    Command<String, String> command =
        tenrec
            .asyncCommand("Subject", (String argument) -> new CompletableFuture<String>())
            .isolation(Isolation.semaphore(0))
            .timeout(TIMEOUT)
            .withoutCircuitBreaker()
            .retry(Retry.attempts(3).onRefusals())
            .build();
    CallbackShare share = Inside.runtime(command.view()).callbacks();
    for (int i = 0; i < 4; i++) { // more than it has threads
      share.execute(CallbackTask.of(() -> Uninterruptibly.await(hanging)));
    }
    CompletableFuture<String> call = command.executeAsync("x");
    assertThat(Inside.waitingForRetry(command.view())).isEqualTo(1);

    time.advance(TIMEOUT);

    assertThat(call)
        .failsWithin(PatientWaits.patience())
        .withThrowableThat()
        .withCauseInstanceOf(CommandRejectedException.class);
  }
}
