// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.call.Inside;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.event.EventType;
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
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rounds of attempts, against one another, cancellations, deadlines, full pools and closing, on
 * real threads: each call ends once, each attempt is counted once, permits and budget are exact.
 */
@Tag("race")
@OwnThread
class RoundsRaceTest {

  private static final int THREADS = 6;
  private static final int CALLS = 100;
  private static final int MOST = 5;
  private static final long SEED = Long.getLong("tenrec.seed", System.nanoTime());

  @RegisterExtension final LeakGuard leaks = new LeakGuard();

  /** Work that ends about when its hedge is due, or its deadline is, one way or another. */
  private static Command<Integer, Integer> command(Tenrec tenrec, Way way, int most) {
    RacingWork work = new RacingWork(2);
    CommandBuilder<Integer, Integer> builder =
        way == Way.STAGE
            ? tenrec.asyncCommand("Racing", work::start)
            : tenrec.command("Racing", work::run);
    return builder
        .isolation(way.isolation(8))
        .timeout(Duration.ofMillis(8))
        .property("execution.isolation.thread.interruptOnFutureCancel", "true")
        .withoutCircuitBreaker()
        .hedge(Hedge.after(Duration.ofMillis(1)).budget(100, 1_000))
        .retry(
            Retry.attempts(most)
                .backoff(Duration.ZERO, Duration.ofMillis(1))
                .onRefusals()
                .budget(100, 1_000)
                .attemptTimeout(Duration.ofMillis(3))
                .howeverLittleTimeIsLeft())
        .build();
  }

  @ParameterizedTest
  @EnumSource(value = Way.class, names = "SEMAPHORE", mode = EnumSource.Mode.EXCLUDE)
  void everyEnding_againstCancelsAndDeadlines_isExact(Way way) throws Exception {
    if (!Way.all().contains(way)) {
      return;
    }
    Tenrec tenrec = leaks.watch(Tenrec.create());
    Command<Integer, Integer> command = command(tenrec, way, MOST);
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
    assertThat(account.of(EventType.HEDGE)).isPositive();
    assertThat(Inside.waitingForRetry(command.view())).isZero();
  }

  private static void callAndCancel(Command<Integer, Integer> command, Random random) {
    for (int i = 0; i < CALLS; i++) {
      switch (random.nextInt(3)) {
        case 0 -> {
          Outcome<Integer> outcome = command.attempt(i);
          assertThat(outcome.isAnswered()).isEqualTo(outcome.error() == null);
          assertThat(outcome.attempts()).isBetween(1, MOST);
        }
        case 1 -> {
          CompletableFuture<Integer> future = command.executeAsync(i);
          LockSupport.parkNanos(random.nextInt(3_000_000));
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
  @EnumSource(value = Way.class, names = "SEMAPHORE", mode = EnumSource.Mode.EXCLUDE)
  void closing_whileRoundsRunOrWait_endsEachOnce(Way way) throws Exception {
    if (!Way.all().contains(way)) {
      return;
    }
    for (int round = 0; round < 20; round++) {
      Tenrec tenrec = Tenrec.create();
      Command<Integer, Integer> command = command(tenrec, way, 50);
      ExecutorService executor = Executors.newFixedThreadPool(THREADS);
      List<Future<CompletableFuture<Integer>>> calls = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        calls.add(executor.submit(() -> command.executeAsync(1)));
      }
      LockSupport.parkNanos(round * 200_000L);
      tenrec.close(Duration.ZERO); // a caller may be on its way in, and its attempt not known yet
      for (Future<CompletableFuture<Integer>> call : calls) {
        awaitEnd(call.get());
      }
      executor.shutdown();
      await().until(() -> command.view().concurrency() == 0 && tenrec.liveThreads() == 0);
      Account unused = Account.settled(command.view(), THREADS, "round " + round);
      assertThat(Inside.waitingForRetry(command.view())).isZero();
    }
  }
}
