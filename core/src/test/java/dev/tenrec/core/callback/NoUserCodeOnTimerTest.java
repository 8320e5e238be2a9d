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
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
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
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What users hang on a time-out may block for as long as it likes: no other deadline waits for it.
 */
@OwnThread
class NoUserCodeOnTimerTest {

  private static final Duration TIMEOUT = Duration.ofMillis(300);

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
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

  private static int beginAndSleep(CountDownLatch begun) throws InterruptedException {
    begun.countDown();
    return Uninterruptibly.sleepOrInterrupt();
  }

  @Test
  void fallbacksCancellersAndDependants_thatBlock_holdUpNoOtherTimeOut() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).callbacks(6, 100).build());
    CountDownLatch begun = new CountDownLatch(3);
    CommandBuilder<String, Integer> bare =
        tenrec
            .command("Bare", (String s) -> beginAndSleep(begun))
            .timeout(TIMEOUT)
            .withoutCircuitBreaker();
    Command<String, Integer> other = bare.build();
    Command<String, Integer> fallback =
        tenrec
            .command("Fallback", (String s) -> beginAndSleep(begun))
            .timeout(TIMEOUT)
            .fallback((s, cause) -> block())
            .build();
    Command<String, Integer> canceller =
        tenrec
            .command(
                "Canceller",
                (String s, Call call) -> {
                  call.onCancel(this::block);
                  begun.countDown();
                  return Uninterruptibly.sleepOrInterrupt();
                })
            .timeout(TIMEOUT)
            .build();

    CompletableFuture<Integer> blockedByFallback = fallback.executeAsync("x");
    CompletableFuture<Integer> withCanceller = canceller.executeAsync("x");
    CompletableFuture<Integer> dependant = other.executeAsync("x").handle((v, e) -> block());
    Uninterruptibly.await(begun); // a call that begins late is ended by its own thread
    time.advance(TIMEOUT);
    await().atMost(PatientWaits.patience()).until(() -> ranOn.size() == 3);

    for (int i = 0; i < 20; i++) {
      CompletableFuture<Integer> next = other.executeAsync("x");
      assertThat(next).isNotDone();
      time.advance(TIMEOUT);
      assertThatThrownBy(() -> next.get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(CommandTimeoutException.class);
      Scenario.await().until(() -> other.view().concurrency() == 0); // or there is no room
    }
    assertThat(ranOn).allMatch(name -> name.startsWith("tenrec-callback-"));
    release.countDown();
    assertThat(blockedByFallback.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isZero();
    assertThat(dependant.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isZero();
    assertThatThrownBy(() -> withCanceller.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommandTimeoutException.class);
  }

  @Test
  void cancellerThatNeverReturns_doesNotKeepItsCallFromBeingAnswered() {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Command<String, Integer> command =
        tenrec
            .command(
                "Canceller",
                (String s, Call call) -> {
                  call.onCancel(this::block);
                  time.advance(TIMEOUT);
                  return Uninterruptibly.sleepOrInterrupt();
                })
            .timeout(TIMEOUT)
            .build();

    assertThatThrownBy(
            () -> command.executeAsync("x").get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(CommandTimeoutException.class);
    await().atMost(PatientWaits.patience()).until(() -> ranOn.size() == 1);
  }

  @Test
  void timeOut_withAFullCallbackExecutor_endsWithItsFirstCause_andIsCounted() {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).callbacks(1, 0).build());
    AtomicInteger fallbacks = new AtomicInteger();
    AtomicInteger begun = new AtomicInteger(); // else a call ends on a thread of its pool
    Command<String, Integer> command =
        tenrec
            .command(
                "Full",
                (String s) -> {
                  begun.incrementAndGet();
                  return Uninterruptibly.sleepOrInterrupt();
                })
            .timeout(TIMEOUT)
            .fallback(
                (s, cause) -> {
                  fallbacks.incrementAndGet();
                  return block();
                })
            .build();
    CompletableFuture<Integer> first = command.executeAsync("fills the executor");
    await().until(() -> begun.get() == 1);
    time.advance(TIMEOUT);
    await().atMost(PatientWaits.patience()).until(() -> ranOn.size() == 1);

    for (int i = 0; i < 3; i++) {
      CompletableFuture<Integer> next = command.executeAsync("x");
      int works = i + 2;
      await().until(() -> begun.get() == works);
      time.advance(TIMEOUT);
      Scenario.await() // which thread reports it may be found in a second try
          .until(
              () -> {
                time.advanceMillis(5);
                return next.isDone();
              });
      assertThatThrownBy(next::join).hasCauseInstanceOf(CommandTimeoutException.class);
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
        .atMost(PatientWaits.patience())
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
