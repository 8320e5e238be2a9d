// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.kit.Tenant;
import dev.tenrec.core.listener.CommandListener;
import dev.tenrec.core.listener.ListenedCall;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What listeners and views see of a collapser's call that shares another's answer. */
class MemberHitFiguresTest {

  private final ManualTime time = new ManualTime();
  private final List<ListenedCall> hits = new CopyOnWriteArrayList<>();
  private final List<String> endings = new CopyOnWriteArrayList<>();
  private final Tenant tenant = new Tenant();

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec =
      leaks.watch(
          Tenrec.builder()
              .time(time, time)
              .propagate(tenant)
              .listen(
                  new CommandListener() {
                    @Override
                    public void onCacheHitEnd(
                        ListenedCall call, @Nullable Object value, @Nullable Throwable error) {
                      endings.add(tenant.get() + ": " + value + ", " + error);
                      hits.add(call);
                    }
                  })
              .build());

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @Test
  void hit_thatWaitedForItsBatch_describesItself_andIsCounted() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("Same", (List<Integer> all) -> all)
            .batchKey("Batches")
            .group("Group")
            .isolation(Isolation.semaphore(5))
            .timerDelay(Duration.ofMillis(10))
            .cacheKey(i -> i)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> first = collapser.executeAsync(7);
      time.advanceMillis(4);
      CompletableFuture<Integer> second = collapser.executeAsync(7);
      time.advanceMillis(6); // the window of the first one ends
      assertThat(get(first)).isEqualTo(7);
      assertThat(get(second)).isEqualTo(7);
    }
    await().until(() -> hits.size() == 1);

    ListenedCall hit = hits.get(0);
    assertThat(hit.commandKey()).isEqualTo("Same");
    assertThat(hit.group()).isEqualTo("Group");
    assertThat(hit.argument()).isEqualTo(7);
    assertThat(hit.isolation()).isEqualTo(IsolationStrategy.SEMAPHORE);
    assertThat(hit.elapsed()).as("from its own call on").isEqualTo(Duration.ofMillis(6));
    assertThat(hit.executionLatency()).isNull();
    assertThat(hit.events()).containsExactly(EventType.RESPONSE_FROM_CACHE);
    assertThat(collapser.view().rollingCacheHits()).isOne();
    assertThat(collapser.view().rollingBatches()).isOne();
    assertThat(collapser.view().batchSizeTotals().count()).isOne();
    assertThat(collapser.view().snapshot().rollingCacheHits()).isOne();
    assertThat(collapser.view().snapshot().cumulativeCacheHits()).isOne();
    assertThat(collapser.view().snapshot().rollingBatches()).isOne();
    assertThat(collapser.view().snapshot().cumulativeBatches()).isOne();
    assertThat(collapser.view().snapshot().rollingMembers()).isOne();
    assertThat(collapser.view().snapshot().cumulativeMembers()).isOne();
  }

  /** Or the next call on that thread would have it. */
  @Test
  void hit_thatWasReported_leavesNoContextOnItsThread() throws Exception {
    AtomicInteger installed = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    Tenrec carrying =
        leaks.watch(
            Tenrec.builder()
                .time(time, time)
                .propagate(
                    () ->
                        () -> {
                          installed.incrementAndGet();
                          return closed::incrementAndGet;
                        })
                .listen(
                    new CommandListener() {
                      @Override
                      public void onCacheHitEnd(
                          ListenedCall call, @Nullable Object value, @Nullable Throwable error) {
                        ended.incrementAndGet();
                      }
                    })
                .build());
    Collapser<Integer, Integer> collapser =
        carrying
            .collapserByPosition("Same", (List<Integer> all) -> all)
            .batchKey("Batches")
            .timerDelay(Duration.ofMillis(10))
            .cacheKey(i -> i)
            .build();
    try (RequestContext request = carrying.openRequest()) {
      CompletableFuture<Integer> first = collapser.executeAsync(7);
      time.advanceMillis(10);
      assertThat(get(first)).isEqualTo(7);

      assertThat(get(collapser.executeAsync(7))).isEqualTo(7);
    }

    await().until(() -> ended.get() == 1);
    await().untilAsserted(() -> assertThat(closed).hasValue(installed.get()));
    assertThat(installed.get()).isPositive();
  }

  /** A propagator that fails takes the context, not the steps. */
  @ParameterizedTest
  @ValueSource(strings = {"install", "close"})
  void hit_whoseContextFails_isReportedWithout(String where) throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("Same", (List<Integer> all) -> all)
            .batchKey("Batches")
            .timerDelay(Duration.ofMillis(10))
            .cacheKey(i -> i)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> first = collapser.executeAsync(7);
      time.advanceMillis(10);
      assertThat(get(first)).isEqualTo(7);
      tenant.failAt(where);

      assertThat(get(collapser.executeAsync(7))).isEqualTo(7);

      await().until(() -> hits.size() == 1);
      tenant.failAt("nothing");
    }
    assertThat(hits.get(0).commandKey()).isEqualTo("Same");
  }

  /** It is no hit that adds up with a member of a batch. */
  @Test
  void hit_whoseBatchNeverRan_isNotReported() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("Same", (List<Integer> all) -> all)
            .isolation(Isolation.semaphore(5))
            .timerDelay(Duration.ofMillis(10))
            .cacheKey(i -> i)
            .build();
    CompletableFuture<Integer> second;
    try (RequestContext closed = tenrec.openRequest()) {
      CompletableFuture<Integer> first = collapser.executeAsync(7);
      second = collapser.executeAsync(7);
      assertThat(first).isNotDone();
    }
    assertThat(second).failsWithin(PatientWaits.patience());
    assertThat(collapser.view().cumulativeCacheHits()).isZero();
    try (RequestContext next = tenrec.openRequest()) {
      CompletableFuture<Integer> first = collapser.executeAsync(8);
      time.advanceMillis(10);
      assertThat(get(first)).isEqualTo(8);
      assertThat(collapser.executeAsync(8)).isCompletedWithValue(8);
    }

    await().until(() -> hits.stream().anyMatch(hit -> Integer.valueOf(8).equals(hit.argument())));
    assertThat(hits).extracting(ListenedCall::argument).containsExactly(8);
  }

  /** As its caller does: another tenant's, say, than that of the batch. */
  @Test
  void hit_isReportedInTheContextOfItsCaller_withWhatItGot() throws Exception {
    IllegalStateException down = new IllegalStateException("down");
    Collapser<Integer, Integer> collapser =
        tenrec
            .<Integer, Integer>collapserByPosition(
                "Same",
                all -> {
                  throw down;
                })
            .isolation(Isolation.semaphore(5))
            .timerDelay(Duration.ofMillis(10))
            .cacheKey(i -> i)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      tenant.set("first");
      CompletableFuture<Integer> first = collapser.executeAsync(7);
      tenant.set("second");
      CompletableFuture<Integer> second = collapser.executeAsync(7);
      tenant.set(null);
      time.advanceMillis(10);
      assertThat(first).failsWithin(PatientWaits.patience());
      assertThat(second).failsWithin(PatientWaits.patience());
    }

    await().until(() -> hits.size() == 1);
    assertThat(endings).containsExactly("second: null, " + down);
  }

  @Test
  void figures_ofLongAgo_areInTheTotalsOnly() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("Same", (List<Integer> all) -> all)
            .isolation(Isolation.semaphore(5))
            .timerDelay(Duration.ofMillis(10))
            .cacheKey(i -> i)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> first = collapser.executeAsync(7);
      time.advanceMillis(10);
      assertThat(get(first)).isEqualTo(7);
      assertThat(collapser.executeAsync(7)).isCompletedWithValue(7);
    }
    assertThat(collapser.view().batchSize().count()).isOne();

    time.advance(Duration.ofSeconds(61));

    assertThat(collapser.view().rollingBatches()).isZero();
    assertThat(collapser.view().rollingMembers()).isZero();
    assertThat(collapser.view().rollingCacheHits()).isZero();
    assertThat(collapser.view().batchSize().count()).isZero();
    assertThat(collapser.view().cumulativeBatches()).isOne();
    assertThat(collapser.view().cumulativeMembers()).isOne();
    assertThat(collapser.view().cumulativeCacheHits()).isOne();
    assertThat(collapser.view().batchSizeTotals().count()).isOne();
  }

  @Test
  void figures_areOfTheLastTenSeconds_andSizesOfTheLastMinute() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapserByPosition("Same", (List<Integer> all) -> all)
            .isolation(Isolation.semaphore(5))
            .timerDelay(Duration.ofMillis(10))
            .globalScope()
            .build();
    time.advance(Duration.ofSeconds(15));
    CompletableFuture<Integer> first = collapser.executeAsync(7);
    time.advanceMillis(10);
    assertThat(get(first)).isEqualTo(7);

    time.advance(Duration.ofSeconds(6));
    assertThat(collapser.view().rollingBatches()).as("after 6 s").isOne();
    time.advance(Duration.ofSeconds(19));
    assertThat(collapser.view().rollingBatches()).as("after 25 s").isZero();
    assertThat(collapser.view().batchSize().count()).as("after 25 s").isOne();
    time.advance(Duration.ofSeconds(25));
    assertThat(collapser.view().batchSize().count()).as("after 50 s").isOne();
    time.advance(Duration.ofSeconds(15));
    assertThat(collapser.view().batchSize().count()).as("after 65 s").isZero();
  }
}
