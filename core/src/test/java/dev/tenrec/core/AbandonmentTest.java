// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.internal.isolation.VirtualThreads;
import dev.tenrec.core.kit.Scenario;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.observers.TestObserver;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls that are given up at awkward moments. */
@OwnThread
class AbandonmentTest {

  @RegisterExtension final LeakGuard leaks = new LeakGuard();

  @Test
  void cancel_justBeforeTheFallback_neverShowsItADroppedArgument() {
    ManualTime time = new ManualTime();
    CountDownLatch atFallback = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    Tenrec tenrec =
        leaks.watch(
            Tenrec.builder()
                .time(time, time)
                .propagate(
                    () ->
                        () -> {
                          if (Thread.currentThread().getName().startsWith("tenrec-callback-")) {
                            atFallback.countDown();
                            Uninterruptibly.await(cancelled);
                          }
                          return () -> {};
                        })
                .build());
    Command<String, Integer> slow =
        tenrec
            .command(
                "Slow",
                (String s) -> {
                  time.advanceMillis(20); // its deadline
                  return Uninterruptibly.sleepOrInterrupt();
                })
            .timeout(Duration.ofMillis(20))
            .fallback(
                (s, cause) -> {
                  seen.add(String.valueOf(s));
                  return 0;
                })
            .build();

    CompletableFuture<Integer> future = slow.executeAsync("argument");
    Uninterruptibly.await(atFallback);
    assertThat(future.cancel(true)).isTrue();
    cancelled.countDown();
    LeakGuard.assertQuiet(tenrec);

    assertThat(seen).doesNotContain("null");
    assertThat(slow.view().cumulativeCount(EventType.CANCELLED)).isEqualTo(1);
  }

  @Test
  void stageThatCannotBeCancelled_atItsDeadline_losesItsPermitAllTheSame() {
    CompletableFuture<Integer> never =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<Integer> toCompletableFuture() {
            throw new UnsupportedOperationException("a stage of its own making");
          }
        };
    ManualTime time = new ManualTime();
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Command<String, Integer> stuck =
        tenrec
            .asyncCommand("Stuck", (String s) -> (CompletionStage<Integer>) never)
            .timeout(Duration.ofMillis(20))
            .property("execution.isolation.stage.abandonAfterInMilliseconds", "20")
            .build();

    CompletableFuture<Integer> late = stuck.executeAsync("x");
    time.advanceMillis(20);
    assertThatThrownBy(late::join).hasCauseInstanceOf(CommandTimeoutException.class);

    await()
        .untilAsserted(
            () -> {
              time.advanceMillis(20);
              assertThat(stuck.view().concurrency()).isZero();
            });
    assertThat(Inside.abandonedStages(tenrec.registry().commands().iterator().next().runtime()))
        .isEqualTo(1);
    assertThat(stuck.view().cumulativeAbandonedCount()).isEqualTo(1);
  }

  /** Else it would be held for as long as its Tenrec is open. */
  @Test
  void stageWithoutDeadline_thatNeverEnds_isForgottenWithItsPermit() {
    ManualTime time = new ManualTime();
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Command<String, Integer> stuck =
        tenrec
            .asyncCommand(
                "Stuck",
                (String s) ->
                    new CompletableFuture<Integer>() {
                      @Override
                      public boolean cancel(boolean mayInterrupt) {
                        return false;
                      }
                    })
            .withoutTimeout()
            .property("execution.isolation.stage.abandonAfterInMilliseconds", "20")
            .build();
    CompletableFuture<Integer> call = stuck.executeAsync("x");
    assertThat(Inside.stages(stuck.view())).isOne();

    assertThat(call.cancel(true)).isTrue();
    assertThat(stuck.view().concurrency()).isOne();
    time.advanceMillis(20);

    await().until(() -> stuck.view().concurrency() == 0);
    assertThat(Inside.stages(stuck.view())).isZero();
  }

  @Test
  void stageThatFailedOfAnInterruptElsewhere_isAFailure_andLeavesTheCallersFlagAlone() {
    Tenrec tenrec = leaks.watch(Unhurried.tenrec());
    Command<String, Integer> failed =
        tenrec
            .asyncCommand(
                "Failed",
                (String s) -> CompletableFuture.<Integer>failedStage(new InterruptedException()))
            .build();

    assertThat(failed.attempt("x").has(EventType.FAILURE)).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void interruptedCaller_whoseWorkEndedLate_keepsItsFlag() {
    ManualTime time = new ManualTime();
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Command<String, Integer> inLocals =
        tenrec
            .<String, Integer>command(
                "InLocals",
                (String s) -> {
                  time.advanceMillis(1_000);
                  throw new InterruptedException();
                })
            .isolation(Isolation.semaphore(1))
            .build();
    Command<String, Integer> seen =
        tenrec
            .<String, Integer>command(
                "Seen",
                (String s, Call call) -> {
                  time.advanceMillis(1_000);
                  throw new InterruptedException();
                })
            .isolation(Isolation.semaphore(1))
            .build();

    assertThatThrownBy(() -> inLocals.execute("x")).isInstanceOf(CommandTimeoutException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(() -> seen.execute("x")).isInstanceOf(CommandTimeoutException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void interruptedCaller_inItsFallback_keepsItsFlag() {
    Tenrec tenrec = leaks.watch(Unhurried.tenrec());
    for (Isolation isolation : new Isolation[] {Isolation.semaphore(1), Isolation.threadPool()}) {
      Command<String, Integer> command =
          tenrec
              .<String, Integer>command(
                  "Of" + isolation.getClass().getSimpleName(),
                  (String s) -> {
                    throw new IllegalStateException("work");
                  })
              .isolation(isolation)
              .fallback(
                  (s, cause) -> {
                    throw new InterruptedException();
                  })
              .build();

      assertThatThrownBy(() -> command.execute("x")).hasMessage("work");
      assertThat(Thread.interrupted()).as("flag, %s", command).isTrue();
    }
  }

  @Test
  void close_withAStageThatNeverEnds_letsNobodyWait() {
    Tenrec tenrec = leaks.watch(Unhurried.tenrec());
    CountDownLatch begun = new CountDownLatch(2);
    Command<String, Integer> endless =
        tenrec
            .asyncCommand(
                "Endless",
                (String s) -> {
                  begun.countDown();
                  return (CompletionStage<Integer>) new CompletableFuture<Integer>();
                })
            .withoutTimeout()
            .build();
    CompletableFuture<Integer> waiting =
        CompletableFuture.supplyAsync(() -> endless.execute("waits"));
    CompletableFuture<Integer> future = endless.executeAsync("does not");
    Uninterruptibly.await(begun);

    assertThat(tenrec.close(Duration.ZERO)).isEmpty();

    assertThatThrownBy(() -> future.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
    assertThatThrownBy(() -> waiting.get(PatientWaits.seconds(), TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(CancellationException.class);
  }

  @Test
  void close_interruptsTheVirtualThreadsOfCallsThatWereAnsweredLongAgo() {
    assumeTrue(VirtualThreads.supported());
    ManualTime time = new ManualTime();
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    AtomicBoolean interrupted = new AtomicBoolean();
    Command<String, Integer> deaf =
        tenrec
            .<String, Integer>command(
                "Deaf",
                (String s) -> {
                  time.advanceMillis(20); // its deadline
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    interrupted.set(true);
                  }
                  return 0;
                })
            .isolation(Isolation.virtualThreads(1))
            .property("execution.isolation.thread.interruptOnTimeout", "false")
            .timeout(Duration.ofMillis(20))
            .build();
    assertThatThrownBy(() -> deaf.execute("x")).isInstanceOf(CommandTimeoutException.class);

    assertThat(tenrec.close(Duration.ZERO)).isEmpty();

    assertThat(interrupted).isTrue();
  }

  @Test
  @Tag("race")
  void dispose_whileTheTrialIsOnItsWayIn_givesItsPlaceBack() throws Exception {
    ManualTime time = new ManualTime();
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    AtomicBoolean healthy = new AtomicBoolean();
    Command<String, Integer> command =
        tenrec
            .<String, Integer>asyncCommand(
                "Trial",
                (String s) ->
                    s.equals("trial")
                        ? new CompletableFuture<>()
                        : healthy.get()
                            ? CompletableFuture.completedFuture(1)
                            : CompletableFuture.failedFuture(new IllegalStateException("down")))
            .errorThreshold(1, 1)
            .sleepWindow(Duration.ofMillis(1_000))
            .timeout(Duration.ofSeconds(100_000))
            .build();
    CyclicBarrier together = new CyclicBarrier(2);
    Queue<TestObserver<Integer>> handed = new ConcurrentLinkedQueue<>();
    int rounds = 3_000;
    Thread disposer =
        new Thread(
            () -> {
              for (int i = 0; i < rounds; i++) {
                Uninterruptibly.await(together);
                TestObserver<Integer> observer;
                do {
                  observer = handed.poll();
                } while (observer == null);
                observer.dispose();
                Uninterruptibly.await(together);
              }
            });
    disposer.start();
    for (int i = 0; i < rounds; i++) {
      healthy.set(false);
      time.advanceMillis(1_000);
      assertThat(command.attempt("failing").isAnswered()).isFalse();
      Scenario.await() // the timer may be the one that opens it
          .until(() -> command.view().circuitState().name().equals("OPEN"));
      time.advanceMillis(1_000);
      TestObserver<Integer> observer = new TestObserver<>();
      together.await();
      command
          .toSingle("trial")
          .doOnSubscribe(
              subscribed -> {
                TestObserver<Integer> early = new TestObserver<>();
                early.onSubscribe(subscribed);
                handed.add(early);
              })
          .subscribe(observer);
      together.await();

      healthy.set(true);
      assertThat(command.attempt("next").isSuccess()).as("admitted in round %s", i).isTrue();
      assertThat(command.view().circuitState().name()).isEqualTo("CLOSED");
    }
    disposer.join();
  }
}
