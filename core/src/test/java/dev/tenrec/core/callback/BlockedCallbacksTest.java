// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.outcome.CommandTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockedCallbacksTest {

  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger blocked = new AtomicInteger();
  private final Tenrec tenrec = Tenrec.builder().callbacks(2, 1_000).build();

  @AfterEach
  void close() {
    release.countDown();
    tenrec.close();
  }

  private int block() {
    blocked.incrementAndGet();
    boolean interrupted = false;
    while (true) {
      try {
        release.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true; // deaf, as some user code is
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private Command<Integer, Integer> lateWithBlockingFallback(String key) {
    CountDownLatch never = new CountDownLatch(1);
    return tenrec
        .command(
            key,
            (Integer i) -> {
              never.await();
              return i;
            })
        .timeout(Duration.ofMillis(100))
        .fallback((i, cause) -> block())
        .build();
  }

  @Test
  void timeOut_whileOthersFallbacksHoldAllCallbackThreads_isAnsweredAllTheSame() {
    Command<Integer, Integer> hog = lateWithBlockingFallback("Hog");
    for (int i = 0; i < 4; i++) {
      CompletableFuture<Integer> unused = hog.executeAsync(i);
    }
    await().atMost(Duration.ofSeconds(10)).until(() -> blocked.get() == 2);
    CountDownLatch never = new CountDownLatch(1);
    Command<Integer, Integer> other =
        tenrec
            .command(
                "Other",
                (Integer i) -> {
                  never.await();
                  return i;
                })
            .timeout(Duration.ofMillis(100))
            .build();

    assertThatThrownBy(() -> other.executeAsync(1).get(8, TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommandTimeoutException.class);
    assertThat(tenrec.refusedCallbacks()).isPositive();
    await().atMost(Duration.ofSeconds(10)).until(() -> other.view().concurrency() == 0);
  }

  @Test
  void close_withAFallbackStuckOnACallbackThread_answersItAndNamesIt() {
    Command<Integer, Integer> stuck = lateWithBlockingFallback("Stuck");
    CompletableFuture<Integer> future = stuck.executeAsync(1);
    await().atMost(Duration.ofSeconds(10)).until(() -> blocked.get() == 1);

    List<StillRunning> left = tenrec.close(Duration.ofMillis(10));

    assertThat(future).isCompletedExceptionally();
    assertThat(left).extracting(StillRunning::commandKey).contains("Stuck");
    assertThat(left).extracting(StillRunning::thread).allMatch(name -> name.startsWith("tenrec-"));
  }
}
