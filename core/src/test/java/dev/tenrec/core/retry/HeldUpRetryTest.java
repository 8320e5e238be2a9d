// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A caller waits for a call whose first attempt has failed, and the pool's thread is held up where
 * it is asked whether that is retried. After a while the caller takes it for lost.
 */
class HeldUpRetryTest {

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final AtomicInteger attempts = new AtomicInteger();

  @AfterEach
  void close() {
    Elsewhere.close(tenrec, time);
  }

  private String work(String argument) throws IOException {
    if (attempts.incrementAndGet() == 1) {
      throw new IOException("once");
    }
    return argument;
  }

  /** Holds the pool's thread up for as long as the clock takes, or until the call has ended. */
  private boolean holdUp(CompletableFuture<String> call, long millis) {
    for (long passed = 0; passed < millis && !call.isDone(); passed++) {
      time.advanceMillis(1);
      Thread.yield(); // the caller looks at the clock
    }
    return true;
  }

  @ParameterizedTest
  @CsvSource({"0, 9000", "190, 9000", "30, 10", "190, 10"}) // a caller counts in ten steps of 20 ms
  void callerThatWaits_leavesTheOwnerOfAFailureAlone_whereItMayBeRetried(
      long millis, long attemptTimeout) throws Exception {
    CompletableFuture<CompletableFuture<String>> made = new CompletableFuture<>();
    AtomicBoolean asked = new AtomicBoolean();
    Command<String, String> command =
        tenrec
            .command("Subject", this::work)
            .isolation(Isolation.threadPool().coreSize(2))
            .timeout(Duration.ofSeconds(10))
            .retry(
                Retry.attempts(2)
                    .attemptTimeout(Duration.ofMillis(attemptTimeout))
                    .backoff(Duration.ZERO, Duration.ZERO)
                    .howeverLittleTimeIsLeft()
                    .onlyIf(
                        thrown -> asked.compareAndSet(false, true) && holdUp(made.join(), millis)))
            .fallback((argument, cause) -> "fallback")
            .build();

    CompletableFuture<String> call = Elsewhere.call(() -> command.execute("x"));
    made.complete(call);

    assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("x");
    assertThat(attempts).hasValue(2);
    assertThat(command.view().cumulativeCount(EventType.RETRY)).isOne();
  }
}
