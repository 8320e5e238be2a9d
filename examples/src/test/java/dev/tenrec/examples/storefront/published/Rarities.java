// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Deadline;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RateLimit;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.context.ContextPropagator.Scope;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import io.reactivex.rxjava3.core.Flowable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Commands of a shop that end as the storefront's do not, or not in every run. */
final class Rarities {

  private static final IllegalStateException DOWN = new IllegalStateException("down");

  /** Of what goes on until it is let go: a minute more than anything is waited for. */
  private static final long HELD_SECONDS = PatientWaits.MOST_SECONDS + 60;

  private Rarities() {}

  static void over(Tenrec tenrec) throws Exception {
    // whatever else the machine does
    tenrec.set("tenrec.command.default.execution.isolation.thread.timeoutInMilliseconds", "600000");
    circuits(tenrec);
    fallbacks(tenrec);
    bulkheads(tenrec);
    repeated(tenrec);
    hedged(tenrec);
    late(tenrec);
    shared(tenrec);
    streams(tenrec);
  }

  private static Integer fail(Integer i) {
    throw DOWN;
  }

  private static void circuits(Tenrec tenrec) {
    Command<Integer, Integer> broken =
        tenrec
            .command("Broken", Rarities::fail)
            .isolation(Isolation.semaphore(1))
            .errorThreshold(1, 2)
            .fallbackValue(0)
            .build();
    await()
        .atMost(PatientWaits.patience())
        .until(() -> broken.attempt(1).has(EventType.SHORT_CIRCUITED));
    assertThat(tenrec.closeCircuit("Broken", "to see it closed")).isTrue();
    tenrec.set("tenrec.command.Broken.fallback.enabled", "perhaps"); // refused
    Command<Integer, Boolean> slow =
        tenrec
            .command(
                "Slow", (Integer i) -> new CountDownLatch(1).await(HELD_SECONDS, TimeUnit.SECONDS))
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofMillis(30))
            .build();
    assertThat(slow.attempt(1).isSuccess()).isFalse();
  }

  private static void fallbacks(Tenrec tenrec) {
    Command<Integer, Integer> failing =
        tenrec
            .command("FallbackFails", Rarities::fail)
            .isolation(Isolation.semaphore(1))
            .fallback((i, cause) -> fail(i))
            .build();
    Command<Integer, Integer> rejected =
        tenrec
            .command("FallbackRejected", Rarities::fail)
            .isolation(Isolation.semaphore(1))
            .fallbackLimit(0)
            .fallback((i, cause) -> i)
            .build();
    Command<Integer, Integer> disabled =
        tenrec
            .command("FallbackDisabled", Rarities::fail)
            .isolation(Isolation.semaphore(1))
            .property("fallback.enabled", "false")
            .fallback((i, cause) -> i)
            .build();
    for (int i = 0; i < 3; i++) {
      assertThat(failing.attempt(i).isSuccess()).isFalse();
      assertThat(rejected.attempt(i).isSuccess()).isFalse();
      assertThat(disabled.attempt(i).isSuccess()).isFalse();
    }
  }

  private static void hedged(Tenrec tenrec) throws Exception {
    Hedge soon = Hedge.after(Duration.ofMillis(1)).budget(100, 1_000);
    Command<Integer, Integer> outrun =
        tenrec
            .command(
                "Outrun",
                (Integer i, Call call) -> {
                  if (call.attempt() == 1) {
                    new CountDownLatch(1).await(HELD_SECONDS, TimeUnit.SECONDS);
                  }
                  return i;
                })
            .isolation(Isolation.threadPool().coreSize(2))
            .timeout(Duration.ofSeconds(HELD_SECONDS))
            .hedge(soon)
            .build();
    assertThat(outrun.execute(1)).isEqualTo(1);
    CountDownLatch refused = new CountDownLatch(1);
    Command<Integer, Integer> alone =
        tenrec
            .command(
                "Alone",
                (Integer i) -> {
                  refused.await(HELD_SECONDS, TimeUnit.SECONDS);
                  return i;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofSeconds(HELD_SECONDS))
            .hedge(soon)
            .build();
    CompletableFuture<Integer> answer = alone.executeAsync(1);
    await()
        .atMost(PatientWaits.patience())
        .until(() -> alone.view().cumulativeCount(EventType.HEDGE_REFUSED) > 0);
    refused.countDown();
    assertThat(answer.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo(1);
  }

  private static void bulkheads(Tenrec tenrec) throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch given = new CountDownLatch(1);
    Command<Integer, Boolean> pooled =
        tenrec
            .command(
                "OneThread",
                (Integer i) -> {
                  inside.countDown();
                  return (i == 2 ? given : leave).await(HELD_SECONDS, TimeUnit.SECONDS);
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofSeconds(HELD_SECONDS))
            .build();
    CompletableFuture<Boolean> busy = pooled.executeAsync(0);
    assertThat(inside.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(pooled.attempt(1).isSuccess()).isFalse();
    Command<Integer, Integer> none =
        tenrec
            .command("NoPermit", (Integer i) -> i)
            .isolation(Isolation.semaphore(0))
            .fallbackValue(-1)
            .build();
    assertThat(none.execute(1)).isEqualTo(-1);
    Command<Integer, Integer> metered =
        tenrec
            .command("Metered", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .rateLimit(RateLimit.of(1, Duration.ofDays(1)).burst(2).shared("Daily"))
            .build();
    for (int i = 0; i < 5; i++) {
      assertThat(metered.attempt(i).isSuccess()).isEqualTo(i < 2);
    }
    leave.countDown();
    assertThat(busy.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    await()
        .atMost(PatientWaits.patience())
        .until(() -> tenrec.pools().stream().allMatch(pool -> pool.active() == 0));
    CompletableFuture<Boolean> unwanted = pooled.executeAsync(2);
    assertThat(unwanted.cancel(true)).isTrue();
    given.countDown();
  }

  private static void late(Tenrec tenrec) {
    Command<Integer, Integer> late =
        tenrec
            .command("Late", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .withDeadline()
            .build();
    try (Scope over = Deadline.after(tenrec, Duration.ZERO).open()) {
      assertThat(late.attempt(1).isSuccess()).isFalse();
    }
  }

  private static void repeated(Tenrec tenrec) {
    AtomicInteger attempts = new AtomicInteger();
    Command<Integer, Integer> second =
        tenrec
            .command("ThirdTime", (Integer i) -> attempts.incrementAndGet() % 3 == 0 ? i : fail(i))
            .isolation(Isolation.semaphore(1))
            .withoutCircuitBreaker()
            .retry(
                Retry.attempts(3)
                    .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
                    .budget(100, 100)
                    .howeverLittleTimeIsLeft())
            .build();
    for (int i = 0; i < 4; i++) {
      assertThat(second.execute(i)).isEqualTo(i);
    }
    Command<Integer, Integer> broke =
        tenrec
            .command("NoBudget", Rarities::fail)
            .isolation(Isolation.semaphore(1))
            .retry(Retry.attempts(2).budget(0, 0))
            .build();
    assertThat(broke.attempt(1).isSuccess()).isFalse();
  }

  private static void shared(Tenrec tenrec) throws Exception {
    Command<Integer, Integer> cached =
        tenrec
            .command("Cached", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .cacheKey(i -> i)
            .build();
    Collapser<Integer, Integer> together =
        tenrec.collapserByPosition("Together", (List<Integer> all) -> all).build();
    try (RequestContext request = tenrec.openRequest()) {
      for (int i = 0; i < 3; i++) {
        assertThat(cached.execute(1)).isEqualTo(1);
      }
      CompletableFuture<Integer> one = together.executeAsync(1);
      CompletableFuture<Integer> two = together.executeAsync(2);
      int first = one.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      int second = two.get(PatientWaits.seconds(), TimeUnit.SECONDS);
      assertThat(first + second).isEqualTo(3);
    }
  }

  private static void streams(Tenrec tenrec) {
    assertThat(
            tenrec
                .streamCommand(
                    "Streamed",
                    (Integer n) -> Flowable.range(0, n).concatWith(Flowable.error(DOWN)))
                .fallback((n, cause) -> Flowable.range(n, 2))
                .build()
                .toFlowable(5)
                .count()
                .blockingGet())
        .isEqualTo(7);
  }
}
