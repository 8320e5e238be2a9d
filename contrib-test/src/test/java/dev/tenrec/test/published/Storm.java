// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test.published;

import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A Tenrec whose calls have ended in all kinds of ways, and that is quiet again. */
public final class Storm {

  /** What a key may hold. */
  public static final String ODD_KEY = "Odd \"<script>alert(1)</script>\\\nsecond line";

  public static final String POOLED = "Pooled";
  public static final String LIMITED = "Limited";
  public static final String BATCHED = "Batched";

  private Storm() {}

  /** One whose commands have time, and whose counts last, whatever else the machine does. */
  public static TenrecBuilder patient() {
    String all = "tenrec.command.default.";
    return Tenrec.builder()
        .baseProperties(
            Map.of(
                all + "execution.isolation.thread.timeoutInMilliseconds", "600000",
                all + "metrics.rollingStats.timeInMilliseconds", "600000"));
  }

  /** Successes, failures, bad requests, fallbacks, time-outs, rejections, an open circuit. */
  public static void over(Tenrec tenrec) throws Exception {
    odd(tenrec);
    pooled(tenrec);
    limited(tenrec);
    retried(tenrec);
    batched(tenrec);
    awaitIdle(tenrec);
  }

  private static void awaitIdle(Tenrec tenrec) {
    await()
        .atMost(PatientWaits.patience())
        .until(
            () ->
                tenrec.pools().stream().allMatch(pool -> pool.active() == 0)
                    && tenrec.commands().stream()
                        .allMatch(command -> command.concurrency() + command.stillBusy() == 0));
  }

  private static void odd(Tenrec tenrec) {
    Command<Integer, Integer> command =
        tenrec
            .command(
                ODD_KEY,
                (Integer i) -> {
                  if (i == 1) {
                    throw new IllegalStateException("down");
                  }
                  if (i == 2) {
                    throw new BadRequestException("bad");
                  }
                  return i;
                })
            .isolation(Isolation.semaphore(5))
            .errorThreshold(50, 4)
            .sleepWindow(Duration.ofHours(1))
            .fallbackValue(-1)
            .build();
    for (int i = 0; i < 3; i++) {
      command.attempt(0);
      command.attempt(2);
    }
    await()
        .atMost(PatientWaits.patience())
        .until(
            () -> {
              command.attempt(1);
              return command.view().circuitState() == CircuitState.OPEN;
            });
    command.attempt(0);
    command.attempt(0);
  }

  private static void pooled(Tenrec tenrec) throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    Command<Integer, Integer> command =
        tenrec
            .command(
                POOLED,
                (Integer i) -> {
                  if (i == 1) {
                    held.await(PatientWaits.seconds(), TimeUnit.SECONDS);
                  }
                  return i;
                })
            .isolation(Isolation.threadPool().key("Threads").coreSize(1))
            .timeout(Duration.ofSeconds(PatientWaits.MOST_SECONDS))
            .build();
    CompletableFuture<?> busy = command.attemptAsync(1);
    await()
        .atMost(PatientWaits.patience())
        .until(() -> tenrec.pools().stream().anyMatch(pool -> pool.active() == 1));
    command.attempt(0);
    command.attempt(0);
    held.countDown();
    busy.get(PatientWaits.seconds(), TimeUnit.SECONDS);
    Command<Integer, Boolean> slow =
        tenrec
            .command(
                "Slow",
                (Integer i) ->
                    new CountDownLatch(1).await(PatientWaits.seconds(), TimeUnit.SECONDS))
            .isolation(Isolation.threadPool().key("Threads"))
            .timeout(Duration.ofMillis(30))
            .build();
    for (int i = 0; i < 2; i++) {
      awaitIdle(tenrec); // or the only thread may not be free yet, and refuse it
      slow.attempt(0);
    }
  }

  private static void limited(Tenrec tenrec) {
    Command<Integer, Integer> inner =
        tenrec
            .command(LIMITED, (Integer i) -> i)
            .isolation(Isolation.semaphore(1).shared("Shared"))
            .build();
    Command<Integer, Boolean> outer =
        tenrec
            .command("Outer", (Integer i) -> inner.attempt(i).isSuccess())
            .isolation(Isolation.semaphore(1).shared("Shared"))
            .build();
    outer.attempt(0); // holds the only permit
    inner.attempt(0);
    Command<Integer, Integer> metered =
        tenrec
            .command("Metered", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .rateLimit(RateLimit.of(1, Duration.ofDays(1)).burst(3).shared("Daily"))
            .build();
    for (int i = 0; i < 4; i++) {
      metered.attempt(i);
    }
  }

  private static void retried(Tenrec tenrec) {
    Command<Integer, Integer> command =
        tenrec
            .command("Retried", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .retry(Retry.attempts(2).budget(0, 1).sharedBudget("Warehouse"))
            .build();
    command.attempt(0); // draws nothing, so what is left does not depend on the time
  }

  private static void batched(Tenrec tenrec) throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                BATCHED,
                (List<Integer> all) ->
                    all.stream().collect(Collectors.toMap(Function.identity(), i -> i)))
            .maxRequestsInBatch(2) // which start it
            .timerDelay(Duration.ofHours(1))
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> one = collapser.executeAsync(1);
      CompletableFuture<Integer> other = collapser.executeAsync(2);
      one.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      other.get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
  }
}
