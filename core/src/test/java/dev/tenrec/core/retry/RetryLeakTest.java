// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Uninterruptibly;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is kept of a call that ends while it is decided whether another attempt follows. */
class RetryLeakTest {

  /** At the failure of a further attempt. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void call_givenUpWhileItIsDecidedOn_isNotKeptAmongThoseThatWait(int failure) {
    try (Tenrec tenrec = Tenrec.create()) {
      AtomicInteger failures = new AtomicInteger();
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch cancelled = new CountDownLatch(1);
      Command<String, String> command =
          tenrec
              .command(
                  "Get",
                  (String s) -> {
                    if (s.equals("next")) {
                      return s;
                    }
                    throw new IOException(s);
                  })
              .isolation(Isolation.threadPool().coreSize(1).queueSize(5))
              .withoutTimeout()
              .retry(
                  Retry.attempts(9)
                      .budget(100, 100)
                      .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
                      .onlyIf(
                          thrown -> {
                            if (failures.incrementAndGet() == failure) {
                              asked.countDown();
                              Uninterruptibly.await(cancelled);
                            }
                            return true;
                          }))
              .build();
      CompletableFuture<String> future = command.executeAsync("x");
      Uninterruptibly.await(asked);

      assertThat(future.cancel(false)).isTrue();
      cancelled.countDown();

      // on the same thread, which has decided by then
      assertThat(command.execute("next")).isEqualTo("next");
      assertThat(Inside.waitingForRetry(command.view())).isZero();
    }
  }
}
