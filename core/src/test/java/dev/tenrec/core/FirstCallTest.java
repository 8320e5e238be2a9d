// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FirstCallTest {

  @Test
  void execute_onPool_answers() {
    try (Tenrec tenrec = Unhurried.tenrec()) {
      Command<String, Integer> length = tenrec.command("Length", (String s) -> s.length()).build();
      assertThat(length.execute("four")).isEqualTo(4);
      assertThat(length.executeAsync("four").join()).isEqualTo(4);
      assertThat(length.toSingle("four").blockingGet()).isEqualTo(4);
      assertThat(length.attempt("four").events()).containsExactly(EventType.SUCCESS);
      // a caller that waits takes a thread for lost that is held up before it has counted
      await().until(() -> length.view().cumulativeCount(EventType.SUCCESS) == 4);
      assertThat(length.view().concurrency()).isZero();
    }
  }

  @Test
  void execute_failing_throwsItsOwnException() {
    try (Tenrec tenrec = Unhurried.tenrec()) {
      Command<String, Integer> failing =
          tenrec
              .<String, Integer>command(
                  "Failing",
                  (String s) -> {
                    throw new IOException(s);
                  })
              .fallback((s, cause) -> 7)
              .build();
      assertThat(failing.execute("x")).isEqualTo(7);
      Outcome<Integer> outcome = failing.attempt("x");
      assertThat(outcome.events()).containsExactly(EventType.FAILURE, EventType.FALLBACK_SUCCESS);
      assertThat(outcome.cause()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void execute_slow_timesOut() {
    CountDownLatch never = new CountDownLatch(1);
    try (Tenrec tenrec = Unhurried.tenrec()) {
      Command<String, Integer> slow =
          tenrec
              .command(
                  "Slow",
                  (String s) -> {
                    never.await();
                    return 1;
                  })
              .timeout(Duration.ofMillis(2))
              .build();
      assertThatThrownBy(() -> slow.execute("x"))
          .isInstanceOf(CommandTimeoutException.class)
          .hasMessageContaining("2 ms");
      assertThatThrownBy(() -> slow.executeAsync("x").join())
          .hasCauseInstanceOf(CommandTimeoutException.class);
      assertThatThrownBy(() -> slow.toSingle("x").blockingGet())
          .isInstanceOf(CommandTimeoutException.class);
    }
  }

  @Test
  void semaphore_async_and_guard() {
    Tenrec tenrec = Unhurried.tenrec();
    Command<String, Integer> async =
        tenrec
            .asyncCommand("Async", (String s) -> CompletableFuture.supplyAsync(s::length))
            .build();
    assertThat(async.execute("four")).isEqualTo(4);
    assertThat(async.executeAsync("four").join()).isEqualTo(4);
    Guard guard = tenrec.guard("Guard").semaphore(1).build();
    for (int i = 0; i < 1000; i++) {
      assertThat(guard.<Integer>call(() -> 3, cause -> 0)).isEqualTo(3);
    }
    assertThat(tenrec.close(Duration.ofSeconds(60))).isEmpty();
    assertThat(tenrec.liveThreads()).isZero();
  }
}
