// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockedCallbacksTest {

  private static final Duration TIMEOUT = Duration.ofMillis(100);

  private final ManualTime time = new ManualTime();
  private final AtomicInteger begun = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger blocked = new AtomicInteger();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).callbacks(2, 1_000).build();

  @AfterEach
  void close() {
    release.countDown();
    Elsewhere.close(tenrec, time);
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

  /** Once so many works have begun: one that has not at its deadline never does. */
  private void expire(int works) {
    await().until(() -> begun.get() == works);
    time.advance(TIMEOUT);
  }

  private void awaitWhileTimeGoesOn(BooleanSupplier what) {
    Scenario.await()
        .until(
            () -> {
              time.advanceMillis(5);
              return what.getAsBoolean();
            });
  }

  private Command<Integer, Integer> lateWithBlockingFallback(String key) {
    CountDownLatch never = new CountDownLatch(1);
    return tenrec
        .command(
            key,
            (Integer i) -> {
              begun.incrementAndGet();
              never.await();
              return i;
            })
        .timeout(TIMEOUT)
        .fallback((i, cause) -> block())
        .build();
  }

  @Test
  void timeOut_whileOthersFallbacksHoldAllCallbackThreads_isAnsweredAllTheSame() {
    Command<Integer, Integer> hog = lateWithBlockingFallback("Hog");
    for (int i = 0; i < 4; i++) {
      CompletableFuture<Integer> unused = hog.executeAsync(i);
    }
    expire(4);
    await().until(() -> blocked.get() == 2);
    CountDownLatch never = new CountDownLatch(1);
    Command<Integer, Integer> other =
        tenrec
            .command(
                "Other",
                (Integer i) -> {
                  time.advance(TIMEOUT);
                  never.await();
                  return i;
                })
            .timeout(TIMEOUT)
            .build();

    CompletableFuture<Integer> late = other.executeAsync(1);
    awaitWhileTimeGoesOn(late::isDone);
    assertThatThrownBy(late::join).hasCauseInstanceOf(CommandTimeoutException.class);
    awaitWhileTimeGoesOn(() -> tenrec.refusedCallbacks() > 0); // of the fallbacks that wait
    awaitWhileTimeGoesOn(() -> other.view().concurrency() == 0);
  }

  /** Those that wait for a thread are as good as those that have one. */
  @Test
  void close_withPatience_letsFallbacksThatWaitBegin() {
    Command<Integer, Integer> command = lateWithBlockingFallback("Hog");
    List<CompletableFuture<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      calls.add(command.executeAsync(i));
    }
    expire(3);
    CallbackShare share = Inside.runtime(command.view()).callbacks();
    await().until(() -> blocked.get() == 2 && share.waiting() == 1);
    await().until(() -> command.view().concurrency() == 0);

    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(() -> tenrec.close(Duration.ofMinutes(5)));
    await().until(() -> time.waiting().stream().anyMatch(t -> t.getName().equals("caller")));
    release.countDown();
    await().until(() -> blocked.get() == 3); // in time: a fallback waits for a moment only
    awaitWhileTimeGoesOn(closed::isDone);

    for (CompletableFuture<Integer> call : calls) {
      assertThat(call).isCompletedWithValue(0);
    }
    assertThat(closed.join()).isEmpty();
  }

  @Test
  void close_withAFallbackStuckOnACallbackThread_answersItAndNamesIt() {
    Command<Integer, Integer> stuck = lateWithBlockingFallback("Stuck");
    CompletableFuture<Integer> future = stuck.executeAsync(1);
    expire(1);
    await().until(() -> blocked.get() == 1);

    CompletableFuture<List<StillRunning>> closed =
        Elsewhere.call(() -> tenrec.close(Duration.ofMillis(10)));
    awaitWhileTimeGoesOn(closed::isDone);
    List<StillRunning> left = closed.join();

    assertThat(future).isCompletedExceptionally();
    assertThat(left).extracting(StillRunning::commandKey).contains("Stuck");
    assertThat(left).extracting(StillRunning::thread).allMatch(name -> name.startsWith("tenrec-"));
  }
}
