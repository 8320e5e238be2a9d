// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.core.kit.Unhurried;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What listeners know of a call: its argument, the work's own call, and the end of a cache hit. */
class ListenedCallTest {

  private final List<String> reported = new CopyOnWriteArrayList<>();
  private final List<ListenedCall> started = new CopyOnWriteArrayList<>();
  private final List<Call> seen = new CopyOnWriteArrayList<>();

  @RegisterExtension final LeakGuard leaks = new LeakGuard();

  private final Tenrec tenrec =
      leaks.watch(
          Unhurried.builder()
              .listen(
                  new CommandListener() {
                    @Override
                    public void onStart(ListenedCall call) {
                      started.add(call);
                      reported.add("start " + call.argument());
                    }

                    @Override
                    public void onSuccess(ListenedCall call, @Nullable Object value) {
                      reported.add("success " + call.argument() + " " + value);
                    }

                    @Override
                    public void onError(ListenedCall call, Throwable error) {
                      reported.add("error " + call.argument() + " " + error.getMessage());
                    }

                    @Override
                    public void onCacheHit(ListenedCall call) {
                      reported.add("hit " + call.argument());
                    }

                    @Override
                    public void onCacheHitEnd(
                        ListenedCall call, @Nullable Object value, @Nullable Throwable error) {
                      reported.add(
                          "hit end "
                              + call.argument()
                              + " "
                              + value
                              + (error == null ? "" : " " + error.getMessage()));
                    }
                  })
              .build());

  private Command<Integer, Integer> command(Isolation isolation) {
    return tenrec
        .command(
            "Doubled",
            (Integer i, Call call) -> {
              seen.add(call);
              if (i < 0) {
                throw new IllegalArgumentException("negative");
              }
              return 2 * i;
            })
        .isolation(isolation)
        .cacheKey(i -> i)
        .build();
  }

  private void awaitReported(String... steps) {
    await().untilAsserted(() -> assertThat(reported).containsExactlyInAnyOrder(steps));
  }

  @Test
  void call_atItsStartAndItsEnd_hasItsArgumentAndIsTheWorksCall() {
    Command<Integer, Integer> command = command(Isolation.threadPool().coreSize(1));
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute(3)).isEqualTo(6);
      assertThatThrownBy(() -> command.execute(-1)).hasMessage("negative");
    }
    awaitReported("start 3", "success 3 6", "start -1", "error -1 negative");
    assertThat(started.get(0).is(seen.get(0))).isTrue();
    assertThat(started.get(0).is(seen.get(1))).isFalse();
    assertThat(started.get(1).is(seen.get(1))).isTrue();
    await("let go after the ending").until(() -> started.get(0).argument() == null);
  }

  /** Work that takes no time took some all the same. */
  @Test
  void call_atItsSteps_describesItself() {
    ManualTime time = new ManualTime();
    List<Object> asked = new CopyOnWriteArrayList<>();
    Tenrec standing =
        leaks.watch(
            Tenrec.builder()
                .time(time, time)
                .listen(
                    new CommandListener() {
                      @Override
                      public void onStart(ListenedCall call) {
                        time.advanceMillis(3);
                        asked.addAll(List.of(call.group(), call.isolation(), call.elapsed()));
                      }

                      @Override
                      public void onSuccess(ListenedCall call, @Nullable Object value) {
                        asked.add(String.valueOf(call.executionLatency()));
                      }
                    })
                .build());
    Command<Integer, Integer> command =
        standing
            .command("Described", (Integer i, Call call) -> call.attempt())
            .group("Group")
            .isolation(Isolation.semaphore(1))
            .build();

    assertThat(command.execute(0)).as("its attempt").isEqualTo(1);

    await()
        .untilAsserted(
            () ->
                assertThat(asked)
                    .containsExactly(
                        "Group", IsolationStrategy.SEMAPHORE, Duration.ofMillis(3), "PT0S"));
  }

  @Test
  void cacheKey_thatThrows_isReportedAsAnErrorOfACallThatStarted() {
    Command<Integer, Integer> command =
        tenrec
            .command("Keyed", (Integer i) -> i)
            .isolation(Isolation.semaphore(1))
            .cacheKey(
                i -> {
                  throw new IllegalArgumentException("no key");
                })
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.attempt(5).isSuccess()).isFalse();
    }
    await().untilAsserted(() -> assertThat(reported).hasSize(2).contains("start 5"));
  }

  @Test
  void cacheHit_ofARunThatHasEnded_hasItsEnd() throws Exception {
    Command<Integer, Integer> command = command(Isolation.semaphore(5));
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.execute(3)).isEqualTo(6);
      assertThat(command.execute(3)).isEqualTo(6);
      assertThat(command.executeAsync(3).get()).isEqualTo(6);
      assertThatThrownBy(() -> command.execute(-1)).hasMessage("negative");
      assertThatThrownBy(() -> command.executeAsync(-1).get())
          .isInstanceOf(ExecutionException.class);
    }
    awaitReported(
        "start 3",
        "success 3 6",
        "hit 3",
        "hit end 3 6",
        "hit 3",
        "hit end 3 6",
        "start -1",
        "error -1 negative",
        "hit -1",
        "hit end -1 null negative");
    assertThat(command.view().cumulativeCount(EventType.RESPONSE_FROM_CACHE)).isEqualTo(3);
  }

  @Test
  void cacheHit_ofARunThatGoesOn_hasItsEndAfterIt() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Slow",
                (Integer i) -> {
                  leave.await();
                  return i;
                })
            .isolation(Isolation.threadPool().coreSize(1))
            .timeout(Duration.ofHours(1))
            .cacheKey(i -> i)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> first = command.executeAsync(7);
      CompletableFuture<Integer> second = command.executeAsync(7);
      CompletableFuture<Integer> third = command.executeAsync(7);
      awaitReported("start 7", "hit 7", "hit 7");
      assertThat(third.cancel(true)).isTrue();
      await().untilAsserted(() -> assertThat(reported).hasSize(4));
      assertThat(reported.get(3)).startsWith("hit end 7 null ");
      leave.countDown();
      assertThat(first.get() + second.get()).isEqualTo(14);
    }
    await().untilAsserted(() -> assertThat(reported).hasSize(6).contains("hit end 7 7"));
  }

  @Test
  void cacheHit_ofACollapser_isReportedWithItsEnd() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser("Squares", ListenedCallTest::squares)
            .timerDelay(Duration.ofMillis(1))
            .cacheKey(i -> i)
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(collapser.execute(4)).isEqualTo(16);
      assertThat(collapser.execute(4)).isEqualTo(16);
      assertThat(collapser.executeAsync(4).get()).isEqualTo(16);
    }
    awaitReported(
        "start [4]", "success [4] {4=16}", "hit 4", "hit end 4 16", "hit 4", "hit end 4 16");
    assertThat(collapser.view().cumulativeCacheHits()).isEqualTo(2);
  }

  private static Map<Integer, Integer> squares(List<Integer> all) {
    Map<Integer, Integer> squares = new HashMap<>();
    all.forEach(i -> squares.put(i, i * i));
    return squares;
  }

  @Test
  void call_thatIsAttemptedAgain_isTheCallOfEachAttempt() {
    List<Call> calls = new CopyOnWriteArrayList<>();
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Again",
                (Integer i, Call call) -> {
                  calls.add(call);
                  if (calls.size() == 1) {
                    throw new IllegalStateException("once");
                  }
                  return i;
                })
            .isolation(Isolation.semaphore(1))
            .retry(Retry.attempts(2).backoff(Duration.ZERO, Duration.ZERO))
            .build();

    assertThat(command.execute(3)).isEqualTo(3);

    assertThat(calls).hasSize(2).doesNotHaveDuplicates();
    assertThat(calls).allMatch(started.get(0)::is);
  }

  @Test
  void batchWork_thatTakesTheCall_seesItsKeyAndItsTime() {
    List<Call> calls = new ArrayList<>();
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Seen",
                (List<Integer> all, Call call) -> {
                  calls.add(call);
                  return squares(all);
                })
            .batchKey("SeenInBatches")
            .globalScope()
            .timeout(Duration.ofMinutes(1))
            .build();
    Collapser<Integer, Integer> staged =
        tenrec
            .asyncCollapser(
                "Staged",
                (List<Integer> all, Call call) -> {
                  calls.add(call);
                  return CompletableFuture.completedFuture(squares(all));
                })
            .globalScope()
            .build();
    assertThat(collapser.execute(3)).isEqualTo(9);
    assertThat(staged.execute(5)).isEqualTo(25);
    assertThat(calls).extracting(Call::commandKey).containsExactly("SeenInBatches", "Staged");
    assertThat(calls.get(0).remaining()).isPositive().isLessThan(Duration.ofMinutes(1));
    assertThat(started.get(0).is(calls.get(0))).isTrue();
  }

  @Test
  void batchKey_ofItsOwn_namesTheCommandAndGoesWithTheCollapser() {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser("Named", ListenedCallTest::squares)
            .batchKey("NamedBatch")
            .globalScope()
            .build();
    assertThat(collapser.execute(2)).isEqualTo(4);
    assertThat(collapser.key()).isEqualTo("Named");
    assertThat(collapser.view().key()).isEqualTo("Named");
    assertThat(collapser.batchView().key()).isEqualTo("NamedBatch");
    assertThat(tenrec.commands()).extracting(view -> view.key()).containsExactly("NamedBatch");
    assertThatThrownBy(
            () ->
                tenrec
                    .collapser("Named", ListenedCallTest::squares)
                    .batchKey("Other")
                    .globalScope()
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "collapser Named was built before with the batch command NamedBatch, now Other");
    assertThat(tenrec.commands()).extracting(view -> view.key()).containsExactly("NamedBatch");
    assertThat(tenrec.remove("Named")).isTrue();
    assertThat(tenrec.commands()).isEmpty();
    assertThat(tenrec.collapsers()).isEmpty();
    assertThat(tenrec.remove("Named")).isFalse();
  }
}
