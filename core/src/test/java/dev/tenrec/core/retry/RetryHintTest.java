// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The bound of what a failure says, and that users' code which throws is not hushed up. */
class RetryHintTest {

  private final ManualTime time = new ManualTime();
  private final AtomicInteger attempts = new AtomicInteger();

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());

  private static Retry atOnce() {
    return Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO);
  }

  /** Only more than a minute is too long for a call without a time-out. */
  @Test
  void hint_ofAMinute_withoutATimeOut_isObeyed() throws Exception {
    Command<String, String> command =
        tenrec
            .command(
                "Subject",
                (String argument) -> {
                  if (attempts.incrementAndGet() == 1) {
                    throw new IOException("come again in a minute");
                  }
                  return argument + attempts.get();
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .withoutTimeout()
            .withoutCircuitBreaker()
            .retry(atOnce().notBefore(thrown -> Duration.ofMinutes(1)))
            .build();
    CompletableFuture<String> call = command.executeAsync("x");
    await().until(() -> call.isDone() || Inside.waitingForRetry(command.view()) == 1);
    time.advance(Duration.ofMinutes(1));

    assertThat(call.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("x2");
  }

  @Test
  void hint_thatThrows_isLogged() throws Exception {
    assertLogged(
        atOnce()
            .notBefore(
                thrown -> {
                  throw new IllegalStateException("of the hint");
                }),
        2);
  }

  @Test
  void predicate_thatThrows_isLogged() throws Exception {
    assertLogged(
        atOnce()
            .onlyIf(
                thrown -> {
                  throw new IllegalStateException("of the predicate");
                }),
        1);
  }

  private void assertLogged(Retry retry, int expected) throws Exception {
    SwitchedLogging.requireInstalled();
    Command<String, String> command =
        tenrec
            .<String, String>command(
                "Subject",
                (String argument) -> {
                  attempts.incrementAndGet();
                  throw new IOException("down");
                })
            .isolation(Isolation.semaphore(1))
            .withoutCircuitBreaker()
            .fallbackValue("instead")
            .retry(retry)
            .build();
    List<String> loggers = new CopyOnWriteArrayList<>();

    try (AutoCloseable switched = SwitchedLogging.on(loggers::add)) {
      assertThat(command.execute("x")).isEqualTo("instead");
      await().until(() -> loggers.stream().anyMatch(logger -> logger.endsWith("FailureLog")));
    }

    assertThat(attempts).hasValue(expected);
  }
}
