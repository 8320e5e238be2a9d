// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetriedCallTest {

  private static final Duration LIMIT = Duration.ofMillis(100);

  /** The timer ends the call when the owner of its last attempt has noted why that failed. */
  @Test
  @SuppressWarnings("unchecked") // the call that the work of this command sees
  void failedAttempts_ofACallThatTheTimerEnds_listEachOnce() {
    ManualTime time = new ManualTime();
    Tenrec tenrec = Tenrec.builder().time(time, time).build();
    AtomicReference<@Nullable Call> seen = new AtomicReference<>();
    AtomicInteger failures = new AtomicInteger();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    Command<String, String> command =
        tenrec
            .asyncCommand(
                "Subject",
                (String x, Call call) -> {
                  seen.set(call);
                  return new CompletableFuture<String>();
                })
            .timeout(Duration.ofSeconds(1))
            .retry(
                Retry.attempts(3)
                    .backoff(Duration.ZERO, Duration.ZERO)
                    .attemptTimeout(LIMIT)
                    .onlyIf(
                        thrown -> {
                          if (failures.incrementAndGet() == 2) {
                            asked.countDown();
                            Uninterruptibly.await(answer);
                          }
                          return true;
                        }))
            .build();
    CompletableFuture<Outcome<String>> future = command.attemptAsync("x");
    time.advance(LIMIT);
    Scenario.await().until(() -> Objects.requireNonNull(seen.get()).attempt() == 2);
    time.advance(LIMIT);
    Uninterruptibly.await(asked);

    Attempt<String, String> last = (Attempt<String, String>) Objects.requireNonNull(seen.get());
    last.call.add(last, Objects.requireNonNull(last.cause));
    time.advance(Duration.ofSeconds(1));

    assertThat(future).succeedsWithin(PatientWaits.patience());
    assertThat(future.join().failedAttempts())
        .hasSize(2)
        .allSatisfy(why -> assertThat(why).isInstanceOf(CommandTimeoutException.class))
        .doesNotHaveDuplicates();
    answer.countDown();
    CompletableFuture<?> closed = Elsewhere.call(() -> tenrec.close(Duration.ofSeconds(5)));
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(2);
              return closed.isDone();
            });
  }
}
