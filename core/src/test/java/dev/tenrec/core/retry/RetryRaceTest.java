// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Attempts against cancellations, deadlines, full pools and closing, on real threads: each call
 * ends once, each attempt is counted once, permits and budget are exact.
 */
@Tag("race")
@OwnThread
class RetryRaceTest {

  private static final int THREADS = 6;
  private static final int CALLS = 300;
  private static final long SEED = Long.getLong("tenrec.seed", System.nanoTime());

  @RegisterExtension final LeakGuard leaks = new LeakGuard();

  private static Command<Integer, Integer> command(Tenrec tenrec, Way way, Retry retry) {
    AtomicInteger attempts = new AtomicInteger();
    CommandBuilder<Integer, Integer> builder =
        way == Way.STAGE
            ? tenrec.asyncCommand(
                "Racing",
                (Integer i) -> {
                  CompletableFuture<Integer> stage = new CompletableFuture<>();
                  if (attempts.incrementAndGet() % 3 == 0) {
                    stage.complete(i);
                  } else {
                    stage.completeExceptionally(new IOException("again"));
                  }
                  return stage;
                })
            : tenrec.command(
                "Racing",
                (Integer i) -> {
                  if (attempts.incrementAndGet() % 3 == 0) {
                    return i;
                  }
                  throw new IOException("again");
                });
    return builder
        .isolation(way.isolation(4))
        .timeout(Duration.ofMillis(20))
        .withoutCircuitBreaker()
        .retry(retry)
        .build();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void everyEnding_againstCancelsAndDeadlines_isExact(Way way) throws Exception {
    if (!Way.all().contains(way)) {
      return;
    }
    Tenrec tenrec = leaks.watch(Tenrec.create());
    Retry retry =
        Retry.attempts(4)
            .backoff(Duration.ofNanos(1), Duration.ofMillis(3))
            .jitter(Jitter.DECORRELATED)
            .onRefusals()
            .budget(100, 1_000);
    Command<Integer, Integer> command = command(tenrec, way, retry);
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> callers = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(SEED + t);
        callers.add(executor.submit(() -> callAndCancel(command, random)));
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
    } finally {
      executor.shutdownNow();
    }
    LeakGuard.assertQuiet(tenrec);
    Account account = Account.settled(command.view(), THREADS * CALLS, "seed " + SEED);
    assertThat(account.of(EventType.RETRY)).isPositive();
  }

  private static void callAndCancel(Command<Integer, Integer> command, Random random) {
    for (int i = 0; i < CALLS; i++) {
      switch (random.nextInt(3)) {
        case 0 -> {
          Outcome<Integer> outcome = command.attempt(i);
          assertThat(outcome.isAnswered()).isEqualTo(outcome.error() == null);
        }
        case 1 -> {
          CompletableFuture<Integer> future = command.executeAsync(i);
          for (int spin = random.nextInt(2_000); spin > 0; spin--) {
            Thread.onSpinWait();
          }
          boolean cancelled = future.cancel(random.nextBoolean());
          awaitEnd(future);
          assertThat(future.isCancelled()).isEqualTo(cancelled);
        }
        default -> awaitEnd(command.executeAsync(i));
      }
    }
  }

  private static void awaitEnd(CompletableFuture<Integer> future) {
    try {
      Integer unused = future.join();
    } catch (CancellationException | CompletionException expected) {
      assertThat(future).isDone();
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void closing_whileCallsWait_endsEachOnce(Way way) throws Exception {
    if (!Way.all().contains(way)) {
      return;
    }
    for (int round = 0; round < 20; round++) {
      Tenrec tenrec = Tenrec.create();
      Command<Integer, Integer> command =
          command(
              tenrec,
              way,
              Retry.attempts(50)
                  .backoff(Duration.ZERO, Duration.ofMillis(2))
                  .howeverLittleTimeIsLeft()
                  .budget(100, 1_000));
      ExecutorService executor = Executors.newFixedThreadPool(THREADS);
      List<Future<CompletableFuture<Integer>>> calls = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        calls.add(executor.submit(() -> command.executeAsync(1)));
      }
      tenrec.close(Duration.ZERO); // a caller may be on its way in, and its stage not known yet
      for (Future<CompletableFuture<Integer>> call : calls) {
        awaitEnd(call.get());
      }
      executor.shutdown();
      Account unused = Account.settled(command.view(), THREADS, "round " + round);
      assertThat(Inside.waitingForRetry(command.view())).isZero();
      // such a close waits for nothing: permits and threads of work that ends late come back later
      await().until(() -> command.view().concurrency() == 0 && tenrec.liveThreads() == 0);
    }
  }

  @Test
  void retries_ofADependencyThatFails_areNeverMoreThanTheBudgetSays() throws Exception {
    Tenrec tenrec = leaks.watch(Unhurried.tenrec());
    long start = System.nanoTime();
    Command<Integer, Integer> command =
        tenrec
            .<Integer, Integer>command(
                "Down",
                i -> {
                  throw new IOException("down");
                })
            .isolation(Isolation.semaphore(THREADS))
            .withoutTimeout()
            .withoutCircuitBreaker()
            .retry(Retry.attempts(5).backoff(Duration.ZERO, Duration.ZERO).budget(20, 3))
            .fallback((i, cause) -> i)
            .build();
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> callers = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      callers.add(
          executor.submit(
              () -> {
                for (int i = 0; i < 1_000; i++) {
                  assertThat(command.execute(i)).isEqualTo(i);
                }
              }));
    }
    for (Future<?> caller : callers) {
      caller.get();
    }
    executor.shutdown();
    Account account = Account.of(command.view());
    long tenSeconds = Duration.ofNanos(System.nanoTime() - start).toSeconds() / 10 + 1;
    assertThat(account.answers()).isEqualTo(THREADS * 1_000);
    assertThat(account.of(EventType.RETRY))
        .as("%s", account)
        .isPositive()
        .isLessThanOrEqualTo(tenSeconds * (account.answers() / 5 + 30));
    assertThat(account.of(EventType.FAILURE))
        .isEqualTo(account.answers() + account.of(EventType.RETRY));
    assertThat(account.of(EventType.RETRY_BUDGET_EXHAUSTED)).isPositive();
  }
}
