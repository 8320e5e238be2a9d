// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import static dev.tenrec.metrics.event.EventType.COLLAPSED;
import static dev.tenrec.metrics.event.EventType.RESPONSE_FROM_CACHE;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.work.BatchResult;
import dev.tenrec.core.work.BatchWork;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.observers.TestObserver;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls of one request with equal keys share one member of a batch. */
class CollapserCacheTest {

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
  private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  /** Answers with the number of its batch; 4 fails alone, 5 is null, 6 is left out. */
  private final BatchWork<Integer, String> numbering =
      ids -> {
        batches.add(List.copyOf(ids));
        BatchResult<Integer, String> result = BatchResult.empty();
        for (int id : ids) {
          switch (id) {
            case 4 -> result.failed(id, new IOException("four"));
            case 5 -> result.answered(id, null);
            case 6 -> {}
            default -> result.answered(id, id + " of batch " + batches.size());
          }
        }
        return result;
      };

  private final Collapser<Integer, String> collapser = builder("Number").build();

  private CollapserBuilder<Integer, String> builder(String key) {
    return tenrec.collapser(key, numbering).cacheKey(id -> id < 0 ? null : id);
  }

  private void window() {
    time.advanceMillis(10);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  private static Throwable error(CompletableFuture<?> future) throws Exception {
    Throwable error = get(future.handle((value, thrown) -> thrown));
    return Objects.requireNonNull(error, "answered");
  }

  private static void assertCounts(Collapser<?, ?> counted, int batches, int members, int hits) {
    assertThat(counted.view().cumulativeBatches()).as("batches").isEqualTo(batches);
    assertThat(counted.view().cumulativeMembers()).as("members").isEqualTo(members);
    assertThat(counted.view().cumulativeCacheHits()).as("hits").isEqualTo(hits);
  }

  /** Row 226: a hit on what is there is answered at once, by every door, without a batch. */
  @Test
  void hit_afterTheBatch_isAnsweredAtOnceThroughEveryDoor() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = collapser.executeAsync(1);
      window();
      assertThat(get(first)).isEqualTo("1 of batch 1");
      assertThat(collapser.execute(1)).isEqualTo("1 of batch 1");
      assertThat(collapser.executeAsync(1)).isCompletedWithValue("1 of batch 1");
      collapser.toSingle(1).test().assertResult("1 of batch 1");
      collapser.toMaybe(1).test().assertResult("1 of batch 1");
      Outcome<String> outcome = collapser.attempt(1);
      assertThat(outcome.value()).isEqualTo("1 of batch 1");
      assertThat(outcome.events()).containsExactly(SUCCESS, RESPONSE_FROM_CACHE, COLLAPSED);
      assertThat(outcome.callerLatency()).isZero();
      assertThat(batches).containsExactly(List.of(1));
      assertCounts(collapser, 1, 1, 5);
      assertThat(collapser.batchView().cumulativeCount(RESPONSE_FROM_CACHE)).isZero();
    }
    try (RequestContext next = tenrec.openRequest()) {
      CompletableFuture<String> anew = collapser.executeAsync(1);
      window();
      assertThat(get(anew)).as("another request").isEqualTo("1 of batch 2");
    }
  }

  /** Of the calls that share an answer, all but the one that asked have it from the cache. */
  @Test
  void outcome_ofTheCallThatAsked_isNotFromTheCache() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Outcome<String>> first = collapser.attemptAsync(1);
      CompletableFuture<Outcome<String>> hit = collapser.attemptAsync(1);
      window();
      assertThat(get(first).events()).containsExactly(SUCCESS, COLLAPSED);
      assertThat(get(hit).events()).containsExactly(SUCCESS, RESPONSE_FROM_CACHE, COLLAPSED);
    }
  }

  /** Row 226: a hit on what is still to come waits for it, before the batch's start and after. */
  @Test
  void hit_whileItsBatchIsToCome_waitsForIt() throws Exception {
    Collapser<Integer, String> held =
        tenrec
            .<Integer, String>collapser(
                "Held",
                ids -> {
                  begun.countDown();
                  go.await();
                  return numbering.run(ids);
                })
            .cacheKey(id -> id)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = held.executeAsync(1);
      CompletableFuture<String> waits = held.executeAsync(1);
      window();
      assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
      CompletableFuture<String> late = held.executeAsync(1);
      assertThat(late).isNotDone();
      go.countDown();
      assertThat(List.of(get(first), get(waits), get(late))).containsOnly("1 of batch 1");
      assertCounts(held, 1, 1, 2);
    }
  }

  /** What a batch ended with is remembered: errors, nulls and missing answers, too. */
  @Test
  void hit_onWhateverTheBatchEndedWith_getsTheSame() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> four = collapser.executeAsync(4);
      CompletableFuture<String> five = collapser.executeAsync(5);
      CompletableFuture<String> six = collapser.executeAsync(6);
      window();
      assertThat(error(collapser.executeAsync(4))).isSameAs(error(four)).hasMessage("four");
      assertThat(get(five)).isNull();
      assertThat(collapser.execute(5)).isNull();
      assertThat(error(collapser.executeAsync(6))).isSameAs(error(six));
      Outcome<String> outcome = collapser.attempt(4);
      assertThat(outcome.error()).hasMessage("four");
      assertThat(outcome.has(RESPONSE_FROM_CACHE)).isTrue();
      assertCounts(collapser, 1, 3, 4);
    }
  }

  /** What kept a call from any batch is reported, and forgotten. */
  @Test
  void failure_beforeABatch_isNotRemembered() throws Exception {
    Collapser<Integer, String> odd =
        builder("Odd")
            .shards(
                id -> {
                  if (batches.isEmpty()) {
                    batches.add(List.of());
                    throw new IllegalStateException("no shard");
                  }
                  return id;
                })
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = odd.executeAsync(1);
      window();
      assertThat(error(first)).hasMessage("no shard");
      CompletableFuture<String> second = odd.executeAsync(1);
      window();
      assertThat(get(second)).isEqualTo("1 of batch 2");
    }
  }

  /** Rows 191, 228: a hit may leave alone. */
  @Test
  void cancel_aHit_leavesTheOthers() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = collapser.executeAsync(1);
      CompletableFuture<String> hit = collapser.executeAsync(1);
      CompletableFuture<String> other = collapser.executeAsync(1);
      assertThat(hit.cancel(true)).isTrue();
      window();
      assertThat(get(first)).isEqualTo("1 of batch 1");
      assertThat(get(other)).isEqualTo("1 of batch 1");
      assertCounts(collapser, 1, 1, 1);
    }
  }

  /** Rows 192, 228: and so may the call it was begun for. */
  @Test
  void cancel_theFirst_leavesTheHits() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      TestObserver<String> first = collapser.toSingle(1).test();
      CompletableFuture<String> hit = collapser.executeAsync(1);
      first.dispose();
      window();
      assertThat(get(hit)).isEqualTo("1 of batch 1");
      first.assertEmpty();
      assertCounts(collapser, 1, 1, 1);
    }
  }

  /** Rows 193, 195, 228: everybody has left, so nothing is asked, and a later call asks anew. */
  @Test
  void cancel_everybody_leavesTheBatchAndForgets() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = collapser.executeAsync(1);
      CompletableFuture<String> hit = collapser.executeAsync(1);
      first.cancel(false);
      hit.cancel(false);
      CompletableFuture<String> other = collapser.executeAsync(2);
      window();
      assertThat(get(other)).isEqualTo("2 of batch 1");
      assertThat(batches).containsExactly(List.of(2));
      CompletableFuture<String> again = collapser.executeAsync(1);
      window();
      assertThat(get(again)).isEqualTo("1 of batch 2");
      assertCounts(collapser, 2, 2, 0);
    }
  }

  /** It was the only one, so nothing is asked for it. */
  @Test
  void cancel_whileItsKeyIsAskedFor_leavesTheBatch() throws Exception {
    TestObserver<String> gone = new TestObserver<>();
    Collapser<Integer, String> leaving =
        builder("Leaving")
            .cacheKey(
                id -> {
                  if (id == 1) {
                    gone.dispose();
                  }
                  return id;
                })
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      leaving.toSingle(1).subscribe(gone);
      CompletableFuture<String> other = leaving.executeAsync(2);
      window();
      assertThat(get(other)).isEqualTo("2 of batch 1");
      assertThat(batches).containsExactly(List.of(2));
      gone.assertEmpty();
    }
  }

  /** What was dropped is forgotten by a thread that may not come for long: no call waits for it. */
  @Test
  void call_beforeWhatEverybodyLeftIsForgotten_asksAnew() throws Exception {
    List<Runnable> kept = new CopyOnWriteArrayList<>();
    AtomicBoolean keeps = new AtomicBoolean();
    Tenrec busy =
        leaks.watch(
            Tenrec.builder()
                .time(time, time)
                .callbackExecutor(
                    task -> {
                      if (keeps.get()) {
                        kept.add(task);
                      } else {
                        Thread unused = Elsewhere.start(task);
                      }
                    })
                .build());
    Collapser<Integer, String> held = busy.collapser("Held", numbering).cacheKey(id -> id).build();
    try (RequestContext request = busy.openRequest()) {
      CompletableFuture<String> first = held.executeAsync(1);
      keeps.set(true);
      assertThat(first.cancel(false)).isTrue();
      await().until(() -> !kept.isEmpty());

      CompletableFuture<String> again =
          Elsewhere.call(request.wrap(() -> held.executeAsync(1)))
              .get(PatientWaits.seconds(), TimeUnit.SECONDS);
      keeps.set(false);
      kept.forEach(Elsewhere::start);
      window();
      assertThat(get(again)).isEqualTo("1 of batch 1");
    }
  }

  /** It would wait for itself, for as long as its batch may take. */
  @Test
  void call_withItsOwnKeyWithinItsBatch_failsAtOnce() throws Exception {
    AtomicReference<Collapser<Integer, Integer>> within = new AtomicReference<>();
    AtomicReference<CompletableFuture<Integer>> inner = new AtomicReference<>();
    within.set(
        tenrec
            .collapserByPosition(
                "Within",
                (List<Integer> ids) -> {
                  inner.set(within.get().executeAsync(1));
                  return ids;
                })
            .cacheKey(id -> id)
            .build());
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> outer = within.get().executeAsync(1);
      window();
      assertThat(get(outer)).isEqualTo(1);
      assertThat(error(inner.get()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("from within the work of its own batch");
    }
  }

  /** Of two that find nothing there, the second shares what the first has begun. */
  @Test
  void call_thatWasSlowerToBegin_sharesTheRunOfTheOther() throws Exception {
    AtomicReference<Collapser<Integer, String>> sharing = new AtomicReference<>();
    AtomicReference<CompletableFuture<String>> faster = new AtomicReference<>();
    AtomicInteger asked = new AtomicInteger();
    record Key(int id, Runnable onHash) {
      @Override
      public int hashCode() {
        onHash.run();
        return id;
      }

      @Override
      public boolean equals(Object other) {
        return other instanceof Key key && key.id == id;
      }
    }
    sharing.set(
        builder("Sharing")
            .cacheKey(
                id ->
                    new Key(
                        id,
                        () -> {
                          if (asked.incrementAndGet() == 2) { // it has found none, and adds its own
                            faster.set(sharing.get().executeAsync(id));
                          }
                        }))
            .build());
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> slower = sharing.get().executeAsync(1);
      window();
      assertThat(get(faster.get())).isEqualTo("1 of batch 1");
      assertThat(get(slower)).isEqualTo("1 of batch 1");
      assertCounts(sharing.get(), 1, 1, 1);
    }
  }

  /** Its call fails, so nothing is asked for it. */
  @Test
  void cacheKey_thatThrowsWhenItIsAdded_joinsNoBatch() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    record Key(int id, AtomicInteger asked) {
      @Override
      public int hashCode() {
        if (asked.incrementAndGet() == 2) {
          throw new IllegalStateException("of the test");
        }
        return id;
      }
    }
    Collapser<Integer, String> failing =
        builder("Failing").cacheKey(id -> new Key(id, asked)).build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> failed = failing.executeAsync(1);
      assertThat(error(failed)).hasMessage("of the test");
      CompletableFuture<String> other = failing.executeAsync(2);
      window();
      assertThat(get(other)).isEqualTo("2 of batch 1");
      assertThat(batches).containsExactly(List.of(2));
    }
  }

  @Test
  void interrupt_ofAWaitingHit_leavesTheOthers() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = collapser.executeAsync(1);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> collapser.execute(1))
          .isInstanceOf(CommandInterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
      window();
      assertThat(get(first)).isEqualTo("1 of batch 1");
      assertCounts(collapser, 1, 1, 0);
    }
  }

  /** Row 227, by the switch: equal arguments of one batch are asked once all the same. */
  @Test
  void cache_switchedOff_remembersNothing_live() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(collapser.view().requestCacheEnabled()).isTrue();
      tenrec.set("tenrec.collapser.Number.requestCache.enabled", "false");
      assertThat(collapser.view().requestCacheEnabled()).isFalse();
      CompletableFuture<String> first = collapser.executeAsync(1);
      CompletableFuture<String> equal = collapser.executeAsync(1);
      window();
      assertThat(get(first)).isEqualTo(get(equal)).isEqualTo("1 of batch 1");
      CompletableFuture<String> second = collapser.executeAsync(1);
      window();
      assertThat(get(second)).isEqualTo("1 of batch 2");
      assertCounts(collapser, 2, 3, 0);
      tenrec.set("tenrec.collapser.Number.requestCache.enabled", "true");
      CompletableFuture<String> third = collapser.executeAsync(1);
      window();
      assertThat(get(third)).isEqualTo("1 of batch 3");
      assertThat(collapser.execute(1)).isEqualTo("1 of batch 3");
    }
  }

  @Test
  void cacheKey_null_sharesNothing() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      for (int round = 1; round <= 2; round++) {
        CompletableFuture<String> call = collapser.executeAsync(-1);
        window();
        assertThat(get(call)).isEqualTo("-1 of batch " + round);
      }
    }
  }

  /** Different arguments may be one thing: the first one's is asked for. */
  @Test
  void cacheKey_ofSeveralArguments_asksForTheFirst() throws Exception {
    Collapser<Integer, String> hundreds = builder("Hundreds").cacheKey(id -> id / 100).build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> one = hundreds.executeAsync(101);
      CompletableFuture<String> two = hundreds.executeAsync(102);
      window();
      assertThat(get(two)).isEqualTo(get(one)).isEqualTo("101 of batch 1");
      assertThat(batches).containsExactly(List.of(101));
    }
  }

  @Test
  void cacheKey_thatThrows_failsThatCall() throws Exception {
    Collapser<@Nullable Integer, String> strict =
        tenrec
            .<@Nullable Integer, String>collapser("Strict", ids -> BatchResult.empty())
            .cacheKey(id -> Objects.requireNonNull(id, "an id"))
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(error(strict.executeAsync(null))).hasMessage("an id");
    }
  }

  @Test
  void clearCache_key_makesTheNextCallAsk() throws Exception {
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = collapser.executeAsync(1);
      collapser.clearCache(1);
      CompletableFuture<String> second = collapser.executeAsync(1);
      window();
      assertThat(get(first)).isEqualTo(get(second)).isEqualTo("1 of batch 1");
      collapser.clearCache(1);
      CompletableFuture<String> third = collapser.executeAsync(1);
      window();
      assertThat(get(third)).isEqualTo("1 of batch 2");
      assertCounts(collapser, 2, 3, 0);
    }
    Collapser<Integer, String> without = tenrec.collapser("Without", numbering).build();
    assertThatThrownBy(() -> without.clearCache(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Without has no cache key: say cacheKey(..) when it is built");
  }

  /** Of several requests, each remembers its own, although they share a batch. */
  @Test
  void globalScope_remembersPerRequest_andNeedsOne() throws Exception {
    Collapser<Integer, String> global = builder("Global").globalScope().build();
    CompletableFuture<String> mine;
    CompletableFuture<String> theirs;
    try (RequestContext request = tenrec.openRequest()) {
      mine = global.executeAsync(1);
      try (RequestContext other = tenrec.openRequest()) {
        theirs = global.executeAsync(1);
      }
      window();
      assertThat(get(mine)).isEqualTo(get(theirs)).isEqualTo("1 of batch 1");
      assertThat(global.execute(1)).isEqualTo("1 of batch 1");
    }
    assertCounts(global, 1, 2, 1);
    assertThat(error(global.executeAsync(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Global has a cache key, which needs an open request");
    CompletableFuture<String> keyless = global.executeAsync(-1);
    window();
    assertThat(get(keyless)).as("a call without a key needs none").isEqualTo("-1 of batch 2");
  }

  /** A waiting hit hears of the close as the waiting member does. */
  @Test
  void requestCloses_failsWaitingHits() throws Exception {
    CompletableFuture<String> first;
    CompletableFuture<String> hit;
    try (RequestContext request = tenrec.openRequest()) {
      first = collapser.executeAsync(1);
      hit = collapser.executeAsync(1);
    }
    assertThat(error(first)).hasMessage("Number was cancelled: its request was closed");
    assertThat(error(hit)).isSameAs(error(first));
    assertCounts(collapser, 0, 0, 0);
  }
}
