// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.HeldWork;
import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Closing finds no memory in one of its steps. */
class ClosingStepsTest {

  /** More readings of the clock than closing makes, if it waits for nothing for long. */
  private static final int READINGS = 40;

  /** A stage that nothing but closing ends, and work that is stuck in a pool. */
  private static List<CompletableFuture<String>> calls(Tenrec tenrec, HeldWork work) {
    List<CompletableFuture<String>> calls = new ArrayList<>();
    calls.add(
        tenrec
            .asyncCommand("Never", (String argument) -> new CompletableFuture<String>())
            .isolation(Isolation.semaphore(1))
            .withoutTimeout()
            .build()
            .executeAsync("x"));
    calls.add(
        tenrec
            .command("Held", work::run)
            .isolation(Isolation.threadPool().coreSize(1))
            .withoutTimeout()
            .build()
            .executeAsync("x"));
    return calls;
  }

  /**
   * Nothing in it says where there will be none: the clock does, whose readings are all over it.
   */
  @Test
  void close_thatFindsNoMemoryInAnyOfItsSteps_endsEveryCall() {
    int without = 0;
    for (int reading = 1; reading <= READINGS; reading++) {
      InterludeTime time = new InterludeTime(Ticker.system());
      Tenrec tenrec = Tenrec.builder().build(time, Waiter.system(), null);
      HeldWork work = HeldWork.polite();
      List<CompletableFuture<String>> calls = calls(tenrec, work);
      work.awaitRunning(1);
      boolean[] thrown = new boolean[1];
      time.atMyReading(
          reading,
          () -> {
            thrown[0] = true;
            throw new OutOfMemoryError("of the test");
          });

      assertThatCode(() -> tenrec.close(Duration.ofNanos(1)))
          .as("without memory at reading %s", reading)
          .doesNotThrowAnyException();

      time.atMyNextReading(() -> {});
      assertThat(calls).as("at reading %s", reading).allMatch(CompletableFuture::isDone);
      await().until(() -> tenrec.liveThreads() == 0);
      without += thrown[0] ? 1 : 0;
    }
    assertThat(without).as("readings of the closing thread").isGreaterThan(4);
  }
}
