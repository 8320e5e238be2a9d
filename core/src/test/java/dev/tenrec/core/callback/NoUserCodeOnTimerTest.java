// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What users hang on a time-out may block for as long as it likes: no other deadline waits for it.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NoUserCodeOnTimerTest {

  private static final Duration GENEROUS = Duration.ofSeconds(4);

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Set<String> ranOn = ConcurrentHashMap.newKeySet();
  private final CountDownLatch release = new CountDownLatch(1);

  /** Before the guard looks. */
  @AfterEach
  void noTimerThreadRanUserCode() {
    release.countDown();
    assertThat(ranOn).isNotEmpty().noneMatch(name -> name.startsWith("tenrec-timer-"));
  }

  private int block() {
    ranOn.add(Thread.currentThread().getName());
    Uninterruptibly.await(release);
    return 0;
  }

  @Test
  void fallbacksCancellersAndDependants_thatBlock_holdUpNoOtherTimeOut() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().callbacks(6, 100).build());
    CommandBuilder<String, Integer> bare =
        tenrec
            .command("Bare", (String s) -> Uninterruptibly.sleepOrInterrupt())
            .timeout(Duration.ofMillis(300))
            .withoutCircuitBreaker();
    Command<String, Integer> other = bare.build();
    Command<String, Integer> fallback =
        tenrec
            .command("Fallback", (String s) -> Uninterruptibly.sleepOrInterrupt())
            .timeout(Duration.ofMillis(300))
            .fallback((s, cause) -> block())
            .build();
    Command<String, Integer> canceller =
        tenrec
            .command(
                "Canceller",
                (String s, Call call) -> {
                  call.onCancel(this::block);
                  return Uninterruptibly.sleepOrInterrupt();
                })
            .timeout(Duration.ofMillis(300))
            .build();

    CompletableFuture<Integer> blockedByFallback = fallback.executeAsync("x");
    CompletableFuture<Integer> withCanceller = canceller.executeAsync("x");
    CompletableFuture<Integer> dependant = other.executeAsync("x").handle((v, e) -> block());
    await().atMost(GENEROUS).until(() -> ranOn.size() == 3);

    for (int i = 0; i < 20; i++) {
      long start = System.nanoTime();
      assertThatThrownBy(
              () -> other.executeAsync("x").get(GENEROUS.toMillis(), TimeUnit.MILLISECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(CommandTimeoutException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(Duration.ofMillis(300), GENEROUS);
    }
    assertThat(ranOn).allMatch(name -> name.startsWith("tenrec-callback-"));
    release.countDown();
    assertThat(blockedByFallback.get(5, TimeUnit.SECONDS)).isZero();
    assertThat(dependant.get(5, TimeUnit.SECONDS)).isZero();
    assertThatThrownBy(() -> withCanceller.get(5, TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommandTimeoutException.class);
  }

  @Test
  void cancellerThatNeverReturns_doesNotKeepItsCallFromBeingAnswered() {
    Tenrec tenrec = leaks.watch(Tenrec.create());
    Command<String, Integer> command =
        tenrec
            .command(
                "Canceller",
                (String s, Call call) -> {
                  call.onCancel(this::block);
                  return Uninterruptibly.sleepOrInterrupt();
                })
            .timeout(Duration.ofMillis(300))
            .build();

    assertThatThrownBy(() -> command.executeAsync("x").get(4, TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommandTimeoutException.class);
    await().atMost(GENEROUS).until(() -> ranOn.size() == 1);
  }

  @Test
  void timeOut_withAFullCallbackExecutor_endsWithItsFirstCause_andIsCounted() {
    Tenrec tenrec = leaks.watch(Tenrec.builder().callbacks(1, 0).build());
    AtomicInteger fallbacks = new AtomicInteger();
    Command<String, Integer> command =
        tenrec
            .command("Full", (String s) -> Uninterruptibly.sleepOrInterrupt())
            .timeout(Duration.ofMillis(300))
            .fallback(
                (s, cause) -> {
                  fallbacks.incrementAndGet();
                  return block();
                })
            .build();
    CompletableFuture<Integer> first = command.executeAsync("fills the executor");
    await().atMost(GENEROUS).until(() -> ranOn.size() == 1);

    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> command.executeAsync("x").get(4, TimeUnit.SECONDS))
          .hasCauseInstanceOf(CommandTimeoutException.class);
    }

    assertThat(tenrec.refusedCallbacks()).isEqualTo(3);
    assertThat(command.view().cumulativeCount(EventType.FALLBACK_REJECTION)).isEqualTo(3);
    release.countDown();
    assertThat(first.join()).isZero();
    assertThat(fallbacks).hasValue(1);
  }

  @Test
  void aMillionTimeOuts_armedAndNotNeeded_leaveNothingBehind() {
    Tenrec tenrec = leaks.watch(Tenrec.create());
    ranOn.add("the test's own thread");
    Command<Integer, Integer> quick =
        tenrec
            .asyncCommand("Quick", (Integer i) -> CompletableFuture.completedFuture(i))
            .timeout(Duration.ofHours(1))
            .build();

    for (int i = 0; i < 1_000_000; i++) {
      quick.execute(i, NOBODY);
    }

    await()
        .atMost(GENEROUS)
        .until(
            () ->
                Inside.pendingTimeouts(
                        InsideTenrec.registry(tenrec).commands().iterator().next().runtime())
                    < 100);
    assertThat(quick.view().cumulativeCount(EventType.SUCCESS)).isEqualTo(1_000_000);
  }

  private static final Receiver<Integer> NOBODY =
      new Receiver<>() {
        @Override
        public void onValue(Integer value) {}

        @Override
        public void onError(Throwable error) {
          throw new AssertionError(error);
        }
      };
}
