// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.CollapserProperties;
import dev.tenrec.core.config.SemaphoreProperties;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.TimerSleep;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandFailedException;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.MissingAnswerException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.core.view.CallRefusal;
import dev.tenrec.core.view.JournalEntry;
import dev.tenrec.core.work.BatchResult;
import dev.tenrec.core.work.BatchWork;
import dev.tenrec.core.work.Call;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandView;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collapsing in the global scope, through all doors. */
class CollapserTest {

  private static final long MILLI = 1_000_000;

  private final ManualTime time = new ManualTime();
  private final TimerSleep timer = new TimerSleep(time);
  private final Tenrec tenrec = Tenrec.builder().time(time, timer).build();
  private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  /** Doubles; written down. */
  private final BatchWork<Integer, Integer> doubling = answering(id -> id * 2);

  private BatchWork<Integer, Integer> answering(Function<Integer, Integer> each) {
    return ids -> {
      batches.add(List.copyOf(ids));
      threads.add(Thread.currentThread());
      return ids.stream().collect(Collectors.toMap(id -> id, each));
    };
  }

  private CollapserBuilder<Integer, Integer> builder() {
    return tenrec.collapser("Double", doubling).globalScope();
  }

  @AfterEach
  void close() {
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    assertThat(tenrec.liveThreads()).isZero();
  }

  private void window() {
    time.advanceMillis(10);
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  /** As the future has it: get() wraps it, and newer JDKs wrap a CancellationException as well. */
  private static Throwable error(CompletableFuture<?> future) throws Exception {
    Throwable error = get(future.handle((value, thrown) -> thrown));
    return Objects.requireNonNull(error, "answered");
  }

  @Test
  void executeAsync_withinOneWindow_isOneBatchInOrder() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    List<CompletableFuture<Integer>> futures =
        IntStream.of(3, 1, 2).mapToObj(collapser::executeAsync).toList();
    assertThat(batches).isEmpty();
    window();
    assertThat(get(futures.get(0))).isEqualTo(6);
    assertThat(get(futures.get(1))).isEqualTo(2);
    assertThat(get(futures.get(2))).isEqualTo(4);
    assertThat(batches).containsExactly(List.of(3, 1, 2));
    assertThat(collapser.batchView().cumulativeCount(EventType.SUCCESS)).isOne();
    assertThat(collapser.batchView().cumulativeCount(EventType.COLLAPSED)).isEqualTo(3);
    assertThat(collapser.view().cumulativeBatches()).isOne();
    assertThat(collapser.view().rollingMembers()).isEqualTo(3);
    assertThat(collapser.view().batchSize().max()).isEqualTo(3);
    assertThat(collapser.view().cumulativeCacheHits()).isZero();
    assertThat(tenrec.collapsers()).extracting(view -> view.key()).containsExactly("Double");
  }

  @Test
  void executeAsync_afterTheWindow_isAnotherBatch() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    CompletableFuture<Integer> first = collapser.executeAsync(1);
    window();
    assertThat(get(first)).isEqualTo(2);
    CompletableFuture<Integer> second = collapser.executeAsync(1);
    window();
    assertThat(get(second)).isEqualTo(2);
    assertThat(batches).containsExactly(List.of(1), List.of(1));
  }

  /** The alarm has the timer look just before: all that was due by then has begun. */
  @Test
  void executeAsync_beforeTheWindowEnds_doesNotStart() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    CompletableFuture<String> stage = new CompletableFuture<>();
    Command<String, String> alarm =
        tenrec
            .asyncCommand("Alarm", (String unused) -> stage)
            .timeout(Duration.ofMillis(9))
            .build();
    long start = time.nanoTime();
    CompletableFuture<Integer> waiting = collapser.executeAsync(1);
    CompletableFuture<Outcome<String>> rings = alarm.attemptAsync("");
    time.advanceMillis(9);
    assertThat(get(rings).has(EventType.TIMEOUT)).isTrue();
    stage.complete("late"); // or closing would wait for it
    timer.awaitUntilJust(start + 10 * MILLI); // and not until something else, or for ever
    assertThat(waiting).isNotDone();
    assertThat(collapser.view().cumulativeBatches()).isZero();
  }

  /** In less than 10 ms, or the timer would look before. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7})
  void window_isAsLongAsItSays_toTheNanosecond(int millis) throws Exception {
    Collapser<Integer, Integer> collapser = builder().timerDelay(Duration.ofMillis(millis)).build();
    time.advance(Duration.ofNanos(123_457));
    long start = time.nanoTime();
    CompletableFuture<Integer> waiting = collapser.executeAsync(1);
    timer.awaitUntilJust(start + millis * MILLI);
    time.advance(Duration.ofNanos(millis * MILLI - 1)); // which wakes nobody
    assertThat(waiting).isNotDone();
    assertThat(collapser.view().cumulativeBatches()).isZero();
    time.advance(Duration.ofNanos(1));
    assertThat(get(waiting)).isEqualTo(2);
  }

  @Test
  void fullBatch_startsAtOnceElsewhere() throws Exception {
    Collapser<Integer, Integer> collapser =
        builder().maxRequestsInBatch(2).isolation(Isolation.semaphore(10)).build();
    CompletableFuture<Integer> one = collapser.executeAsync(1);
    CompletableFuture<Integer> two = collapser.executeAsync(2);
    CompletableFuture<Integer> three = collapser.executeAsync(3);
    assertThat(get(one)).isEqualTo(2); // no time has passed
    assertThat(get(two)).isEqualTo(4);
    assertThat(three).isNotDone();
    window();
    assertThat(get(three)).isEqualTo(6);
    assertThat(batches).containsExactly(List.of(1, 2), List.of(3));
    assertThat(threads).doesNotContain(Thread.currentThread());
  }

  @Test
  void equalArguments_areAskedOnceAndAllAnswered() throws Exception {
    Collapser<Integer, Integer> collapser = builder().maxRequestsInBatch(2).build();
    CompletableFuture<Integer> one = collapser.executeAsync(1000);
    CompletableFuture<Integer> same = collapser.executeAsync(1000);
    CompletableFuture<Integer> other = collapser.executeAsync(2); // only now it is full
    assertThat(get(one)).isEqualTo(2000);
    assertThat(get(same)).isEqualTo(2000);
    assertThat(get(other)).isEqualTo(4);
    assertThat(batches).containsExactly(List.of(1000, 2));
    assertThat(collapser.view().cumulativeMembers()).isEqualTo(3);
    assertThat(collapser.view().batchSize().max()).isEqualTo(2);
    assertThat(collapser.batchView().cumulativeCount(EventType.COLLAPSED)).isEqualTo(3);
  }

  @Test
  void nullArgumentAndNullAnswer_areLegal() throws Exception {
    Collapser<String, String> collapser =
        tenrec
            .collapser(
                "Nulls",
                (List<String> ids) -> {
                  Map<String, String> answers = new HashMap<>();
                  ids.forEach(id -> answers.put(id, id == null ? "none" : null));
                  return answers;
                })
            .globalScope()
            .build();
    CompletableFuture<String> ofNull = collapser.executeAsync(null);
    CompletableFuture<String> toNull = collapser.executeAsync("a");
    var single = collapser.toSingle("a").test();
    var maybe = collapser.toMaybe("a").test();
    window();
    assertThat(get(ofNull)).isEqualTo("none");
    assertThat(get(toNull)).isNull();
    single.await().assertError(NullPointerException.class);
    maybe.await().assertResult();
  }

  @Test
  void cancel_beforeTheStart_takesItOut() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    CompletableFuture<Integer> gone = collapser.executeAsync(1);
    CompletableFuture<Integer> stays = collapser.executeAsync(2);
    assertThat(gone.cancel(false)).isTrue();
    window();
    assertThat(get(stays)).isEqualTo(4);
    assertThat(batches).containsExactly(List.of(2));
    assertThat(gone).isCancelled();
    assertThat(collapser.view().cumulativeMembers()).isOne();
  }

  @Test
  void cancel_oneOfEqualArguments_keepsTheOthers() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    CompletableFuture<Integer> gone = collapser.executeAsync(1);
    CompletableFuture<Integer> stays = collapser.executeAsync(1);
    CompletableFuture<Integer> completed = collapser.executeAsync(1);
    assertThat(gone.cancel(true)).isTrue();
    completed.complete(7);
    window();
    assertThat(get(stays)).isEqualTo(2);
    assertThat(gone).isCancelled();
    assertThat(get(completed)).isEqualTo(7);
    assertThat(batches).containsExactly(List.of(1));
    assertThat(collapser.view().cumulativeMembers()).isOne();
  }

  @Test
  void cancel_allOfEqualArguments_takesTheArgumentOut() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    CompletableFuture<Integer> one = collapser.executeAsync(1);
    CompletableFuture<Integer> same = collapser.executeAsync(1);
    CompletableFuture<Integer> other = collapser.executeAsync(2);
    assertThat(one.cancel(true)).isTrue();
    assertThat(same.cancel(true)).isTrue();
    window();
    assertThat(get(other)).isEqualTo(4);
    assertThat(batches).containsExactly(List.of(2));
    CompletableFuture<Integer> alone = collapser.executeAsync(1);
    CompletableFuture<Integer> withIt = collapser.executeAsync(1);
    assertThat(alone.cancel(true)).isTrue();
    assertThat(withIt.cancel(true)).isTrue();
    window();
    CompletableFuture<Integer> later = collapser.executeAsync(3); // in whichever batch is open now
    window();
    assertThat(get(later)).isEqualTo(6);
    assertThat(batches).as("none of cancelled ones").containsExactly(List.of(2), List.of(3));
    assertThat(collapser.view().cumulativeBatches()).isEqualTo(2);
  }

  @Test
  void cancel_all_neverRuns() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    CompletableFuture<Integer> one = collapser.executeAsync(1);
    var two = collapser.toSingle(2).test();
    one.cancel(true);
    two.dispose();
    window();
    CompletableFuture<Integer> later = collapser.executeAsync(3); // in whichever batch is open now
    window();
    assertThat(get(later)).isEqualTo(6);
    assertThat(batches).containsExactly(List.of(3));
    assertThat(collapser.view().cumulativeBatches()).isOne();
  }

  @Test
  void cancel_frees_aPlaceInTheBatch() throws Exception {
    Collapser<Integer, Integer> collapser = builder().maxRequestsInBatch(2).build();
    collapser.executeAsync(1).cancel(true);
    CompletableFuture<Integer> two = collapser.executeAsync(2);
    assertThat(collapser.view().cumulativeBatches()).isZero();
    CompletableFuture<Integer> three = collapser.executeAsync(3);
    assertThat(get(two)).isEqualTo(4);
    assertThat(get(three)).isEqualTo(6);
    assertThat(batches).containsExactly(List.of(2, 3));
  }

  @Test
  void cancel_afterTheStart_leavesTheBatch() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Slow",
                (List<Integer> ids) -> {
                  begun.countDown();
                  go.await();
                  return Map.of(1, 10, 2, 20);
                })
            .globalScope()
            .build();
    CompletableFuture<Integer> gone = collapser.executeAsync(1);
    CompletableFuture<Integer> stays = collapser.executeAsync(2);
    window();
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(gone.cancel(true)).isTrue();
    go.countDown();
    assertThat(get(stays)).isEqualTo(20);
    assertThat(collapser.batchView().cumulativeCount(EventType.CANCELLED)).isZero();
  }

  @Test
  void shards_failAlone() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Shards",
                answering(
                    id -> {
                      if (id >= 20) {
                        throw new IllegalStateException("down");
                      }
                      return id + 1;
                    }))
            .globalScope()
            .shards(
                id -> {
                  if (id == 99) {
                    throw new IllegalArgumentException("no shard");
                  }
                  return id / 10;
                })
            .build();
    CompletableFuture<Integer> a = collapser.executeAsync(1);
    CompletableFuture<Integer> b = collapser.executeAsync(21);
    CompletableFuture<Integer> c = collapser.executeAsync(2);
    CompletableFuture<Integer> d = collapser.executeAsync(99);
    window();
    assertThat(get(a)).isEqualTo(2);
    assertThat(get(c)).isEqualTo(3);
    assertThat(error(b)).isInstanceOf(IllegalStateException.class).hasMessage("down");
    assertThat(error(d)).isInstanceOf(IllegalArgumentException.class).hasMessage("no shard");
    assertThat(batches).containsExactlyInAnyOrder(List.of(1, 2), List.of(21));
    assertThat(collapser.view().cumulativeBatches()).isEqualTo(2);
    await().until(() -> collapser.batchView().cumulativeCount(EventType.SUCCESS) == 1);
    assertThat(collapser.batchView().cumulativeCount(EventType.FAILURE))
        .as("of the function, but not of what divides")
        .isOne();
  }

  @Test
  void shards_onASemaphore_runBesideEachOther() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Beside",
                (List<Integer> ids) -> {
                  both.countDown();
                  both.await();
                  return Map.of(ids.get(0), 1);
                })
            .globalScope()
            .isolation(Isolation.semaphore(2))
            .shards(id -> id)
            .build();
    CompletableFuture<Integer> a = collapser.executeAsync(1);
    CompletableFuture<Integer> b = collapser.executeAsync(2);
    window();
    assertThat(get(a)).isOne();
    assertThat(get(b)).isOne();
    assertThat(collapser.view().cumulativeBatches()).as("each begins once").isEqualTo(2);
  }

  /** There is a thread to start the batch, and none besides for the shards: it runs them all. */
  @Test
  void shards_onASemaphore_withoutThreadsOfTheirOwn_runAfterEachOther() throws Exception {
    try (Tenrec small = Tenrec.builder().time(time, time).callbacks(1, 0).build()) {
      Collapser<Integer, Integer> collapser =
          small
              .collapser("Double", doubling)
              .globalScope()
              .isolation(Isolation.semaphore(2))
              .shards(id -> id)
              .maxRequestsInBatch(2)
              .build();
      CompletableFuture<Integer> a = collapser.executeAsync(1);
      CompletableFuture<Integer> b = collapser.executeAsync(2);

      assertThat(get(a)).isEqualTo(2);
      assertThat(get(b)).isEqualTo(4);
      assertThat(batches).containsExactly(List.of(1), List.of(2));
      assertThat(threads.get(0)).isSameAs(threads.get(1));
    }
  }

  @Test
  void member_failedAlone_getsItsOwnError() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Alone",
                (List<Integer> ids) ->
                    BatchResult.of(Map.of(1, 10, 2, 20)).failed(2, new IOException("gone")))
            .globalScope()
            .build();
    CompletableFuture<Integer> good = collapser.executeAsync(1);
    CompletableFuture<Integer> bad = collapser.executeAsync(2);
    window();
    assertThat(get(good)).isEqualTo(10);
    assertThat(error(bad)).isInstanceOf(IOException.class).hasMessage("gone");
    assertThat(collapser.batchView().cumulativeCount(EventType.SUCCESS)).isOne();
  }

  @Test
  void missingAnswer_saysWhose_unknownAnswerIsIgnored() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser("Gaps", (List<Integer> ids) -> Map.of(1, 10, 77, 770))
            .globalScope()
            .build();
    CompletableFuture<Integer> good = collapser.executeAsync(1);
    CompletableFuture<Integer> missing = collapser.executeAsync(2);
    window();
    assertThat(get(good)).isEqualTo(10);
    assertThat(error(missing))
        .isInstanceOf(MissingAnswerException.class)
        .hasMessageContaining("Gaps")
        .hasMessageContaining("batch of 2")
        .hasMessageContaining("no answer for an argument (java.lang.Integer)")
        .extracting(thrown -> ((MissingAnswerException) thrown).argument())
        .isEqualTo(2);
  }

  /** By whom they are logged is the one thread that there is for it. */
  @Test
  void unknownAnswers_ofSeveralBatches_areLoggedOnceForTheCollapser() throws Exception {
    SwitchedLogging.requireInstalled();
    List<String> lines = new CopyOnWriteArrayList<>();
    ExecutorService callbacks = Executors.newSingleThreadExecutor();
    try (AutoCloseable switched =
            SwitchedLogging.on(logger -> !isOfUnknownAnswers(logger) || !lines.add(logger));
        Tenrec own = Tenrec.builder().time(time, time).callbackExecutor(callbacks).build()) {
      Collapser<Integer, Integer> one = gaps(own, "One");
      for (int id = 1; id <= 3; id++) {
        assertThat(get(one.executeAsync(id))).isEqualTo(id);
        awaitIdle(callbacks);
        assertThat(lines).as("after %s batches", id).hasSize(1);
      }
      assertThat(get(gaps(own, "Other").executeAsync(1))).isOne();
      awaitIdle(callbacks);
      assertThat(lines).as("another one logs for itself").hasSize(2);
    } finally {
      callbacks.shutdown();
    }
  }

  /** Answers what it is asked for, and two arguments that it is not asked for. */
  private static Collapser<Integer, Integer> gaps(Tenrec tenrec, String key) {
    return tenrec
        .collapser(key, (List<Integer> ids) -> Map.of(ids.get(0), ids.get(0), 77, 770, 78, 780))
        .globalScope()
        .isolation(Isolation.semaphore(1))
        .maxRequestsInBatch(1)
        .build();
  }

  private static boolean isOfUnknownAnswers(String logger) {
    return logger.endsWith(".UnknownAnswers");
  }

  /** The first one waits for the batch, the second one for what that has handed over. */
  private static void awaitIdle(ExecutorService callbacks) throws Exception {
    for (int i = 0; i < 2; i++) {
      callbacks.submit(() -> {}).get(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  void throwingMap_failsTheUnansweredOnly() throws Exception {
    IllegalStateException thrown = new IllegalStateException("map");
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
    try {
      failByMap(thrown);
      assertThat(tenrec.close(Duration.ZERO)).isEmpty();
      assertThat(threads).hasSize(1);
      threads.get(0).join(PatientWaits.patience().toMillis());
      assertThat(threads.get(0).isAlive()).isFalse();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).as("by a handler").doesNotContain(thrown);
  }

  private void failByMap(IllegalStateException thrown) throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Throwing",
                (List<Integer> ids) ->
                    new java.util.AbstractMap<Integer, Integer>() {
                      @Override
                      public java.util.Set<Map.Entry<Integer, Integer>> entrySet() {
                        return new java.util.AbstractSet<>() {
                          @Override
                          public java.util.Iterator<Map.Entry<Integer, Integer>> iterator() {
                            return List.of(Map.entry(1, 10), Map.entry(2, 20)).stream()
                                .peek(
                                    entry -> {
                                      if (entry.getKey() == 2) {
                                        threads.add(Thread.currentThread());
                                        throw thrown;
                                      }
                                    })
                                .iterator();
                          }

                          @Override
                          public int size() {
                            return 2;
                          }
                        };
                      }
                    })
            .globalScope()
            .build();
    CompletableFuture<Integer> good = collapser.executeAsync(1);
    CompletableFuture<Integer> bad = collapser.executeAsync(2);
    window();
    assertThat(get(good)).isEqualTo(10);
    assertThat(error(bad)).isSameAs(thrown);
  }

  @Test
  void fallback_answersTheWholeBatch() throws Exception {
    Collapser<Integer, Integer> collapser =
        tenrec
            .<Integer, Integer>collapser(
                "Falling",
                (List<Integer> ids) -> {
                  throw new IOException("down");
                })
            .globalScope()
            .fallback((ids, cause) -> Map.of(1, -1, 2, -2))
            .build();
    CompletableFuture<Integer> one = collapser.executeAsync(1);
    CompletableFuture<Integer> two = collapser.executeAsync(2);
    CompletableFuture<Integer> three = collapser.executeAsync(3);
    window();
    assertThat(get(one)).isEqualTo(-1);
    assertThat(get(two)).isEqualTo(-2);
    assertThat(error(three)).isInstanceOf(MissingAnswerException.class);
    assertThat(collapser.batchView().cumulativeCount(EventType.FALLBACK_SUCCESS)).isOne();
  }

  @Test
  void nullInsteadOfAMap_isAFailure() throws Exception {
    Collapser<Integer, Integer> plain =
        tenrec
            .<Integer, Integer>collapser("Null", (List<Integer> ids) -> null)
            .globalScope()
            .build();
    Collapser<Integer, Integer> staged =
        tenrec
            .<Integer, Integer>asyncCollapser(
                "NullStage", (List<Integer> ids) -> CompletableFuture.completedFuture(null))
            .globalScope()
            .build();
    Collapser<Integer, Integer> withCall =
        tenrec.<Integer, Integer>collapser("NullOfCall", (ids, call) -> null).globalScope().build();
    CompletableFuture<Integer> one = plain.executeAsync(1);
    CompletableFuture<Integer> two = staged.executeAsync(1);
    CompletableFuture<Integer> three = withCall.executeAsync(1);
    window();
    assertThat(error(one)).isInstanceOf(NullPointerException.class).hasMessageContaining("a Map");
    assertThat(error(two)).isInstanceOf(NullPointerException.class).hasMessageContaining("a Map");
    assertThat(error(three))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("NullOfCall: its batch function returned null, a Map was expected");
    assertThat(plain.batchView().cumulativeCount(EventType.FAILURE)).isOne();
  }

  @Test
  void timeout_reachesEachMember() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Collapser<Integer, Integer> collapser =
        tenrec
            .<Integer, Integer>collapser(
                "Late",
                (List<Integer> ids) -> {
                  begun.countDown();
                  never.await();
                  return Map.of();
                })
            .globalScope()
            .timeout(Duration.ofMillis(50))
            .build();
    CompletableFuture<Integer> one = collapser.executeAsync(1);
    CompletableFuture<Integer> two = collapser.executeAsync(2);
    window();
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    time.advanceMillis(50);
    assertThat(error(one)).isInstanceOf(CommandTimeoutException.class);
    assertThat(error(two)).isSameAs(error(one));
  }

  @Test
  void openCircuitAndRejection_reachEachMember() throws Exception {
    Collapser<Integer, Integer> open =
        builder().property("circuitBreaker.forceOpen", "true").build();
    Collapser<Integer, Integer> full =
        tenrec.collapser("Full", doubling).globalScope().isolation(Isolation.semaphore(0)).build();
    CompletableFuture<Integer> one = open.executeAsync(1);
    CompletableFuture<Integer> two = full.executeAsync(2);
    CompletableFuture<Integer> three = open.executeAsync(3);
    CompletableFuture<Integer> four = full.executeAsync(4);
    CompletableFuture<Integer> same = full.executeAsync(4);
    window();
    assertThat(error(one)).isInstanceOf(CircuitOpenException.class);
    assertThat(error(three)).isSameAs(error(one));
    assertThat(error(two)).isInstanceOf(CommandRejectedException.class);
    assertThat(error(four)).isSameAs(error(two));
    assertThat(error(same)).isSameAs(error(two));
    assertThat(batches).isEmpty();
  }

  @Test
  void byPosition_pairs_andRefusesAnotherLength() throws Exception {
    Collapser<Integer, String> collapser =
        tenrec
            .collapserByPosition(
                "Position",
                (List<Integer> ids) -> {
                  if (ids.contains(9)) {
                    return List.of("x");
                  }
                  return ids.contains(7) ? List.of("x", "y", "z") : Arrays.asList("a", null);
                })
            .globalScope()
            .build();
    CompletableFuture<String> one = collapser.executeAsync(1);
    CompletableFuture<String> two = collapser.executeAsync(2);
    window();
    assertThat(get(one)).isEqualTo("a");
    assertThat(get(two)).isNull();
    CompletableFuture<String> eight = collapser.executeAsync(8);
    CompletableFuture<String> nine = collapser.executeAsync(9);
    window();
    assertThat(error(eight))
        .hasMessage(
            "Position: its batch function returned 1 answers, 2 answers were expected, one per"
                + " argument");
    assertThat(error(nine)).isSameAs(error(eight));
    CompletableFuture<String> six = collapser.executeAsync(6);
    CompletableFuture<String> seven = collapser.executeAsync(7);
    window();
    assertThat(error(six))
        .hasMessage(
            "Position: its batch function returned 3 answers, 2 answers were expected, one per"
                + " argument");
    assertThat(error(seven)).isSameAs(error(six));
  }

  @Test
  void asyncCollapser_answersWithItsStage() throws Exception {
    CompletableFuture<Map<Integer, Integer>> stage = new CompletableFuture<>();
    Collapser<Integer, Integer> collapser =
        tenrec
            .asyncCollapser(
                "Async",
                (List<Integer> ids) ->
                    stage.thenApply(found -> BatchResult.of(found).failed(2, new IOException())))
            .globalScope()
            .build();
    CompletableFuture<Integer> one = collapser.executeAsync(1);
    CompletableFuture<Integer> two = collapser.executeAsync(2);
    window();
    stage.complete(Map.of(1, 10));
    assertThat(get(one)).isEqualTo(10);
    assertThat(error(two)).isInstanceOf(IOException.class);
  }

  @Test
  void asyncCollapser_thatLooksAtItsCall_answersWithItsStage() throws Exception {
    Collapser<Integer, String> collapser =
        tenrec
            .asyncCollapser(
                "AsyncCall",
                (List<Integer> ids, Call call) ->
                    CompletableFuture.completedFuture(
                        Map.of(1, "one of " + ids + ", given up: " + call.isGivenUp())))
            .globalScope()
            .build();
    CompletableFuture<String> one = collapser.executeAsync(1);
    window();
    assertThat(get(one)).isEqualTo("one of [1], given up: false");
  }

  @Test
  void collapser_thatLooksAtItsCall_answers() throws Exception {
    Collapser<Integer, String> collapser =
        tenrec
            .collapser(
                "OfCall",
                (List<Integer> ids, Call call) ->
                    Map.of(1, "one of " + ids + ", given up: " + call.isGivenUp()))
            .globalScope()
            .build();
    CompletableFuture<String> one = collapser.executeAsync(1);
    window();
    assertThat(get(one)).isEqualTo("one of [1], given up: false");
  }

  @Test
  void settings_changeLive() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    CompletableFuture<Integer> one = collapser.executeAsync(1);
    tenrec.set("tenrec.collapser.Double.maxRequestsInBatch", "2");
    CompletableFuture<Integer> two = collapser.executeAsync(2);
    assertThat(get(one)).isEqualTo(2);
    assertThat(get(two)).isEqualTo(4);
    tenrec.set("tenrec.collapser.Double.timerDelayInMilliseconds", "500");
    time.advanceMillis(3); // so that nothing else is due when the window ends
    long start = time.nanoTime();
    CompletableFuture<Integer> three = collapser.executeAsync(3);
    time.advanceMillis(499);
    timer.awaitUntilJust(start + 500 * MILLI);
    assertThat(three).isNotDone();
    time.advanceMillis(1);
    assertThat(get(three)).isEqualTo(6);
    assertThat(collapser.view().timerDelayNanos()).isEqualTo(500_000_000);
    assertThat(collapser.view().maxRequestsInBatch()).isEqualTo(2);
    assertThat(collapser.view().requestCacheEnabled()).isTrue();
    assertThat(tenrec.setting(CollapserProperties.MAX_REQUESTS_IN_BATCH, "Double")).isEqualTo(2);
    assertThat(tenrec.setting(CollapserProperties.MAX_REQUESTS_IN_BATCH, "Other")).isNull();
    assertThatThrownBy(() -> tenrec.setting(SemaphoreProperties.MAX_CONCURRENT, "Double"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            SemaphoreProperties.MAX_CONCURRENT + " belongs to no command, pool or collapser");
    tenrec.set("tenrec.collapser.Double.metrics.rollingPercentile.enabled", "false");
    assertThat(collapser.view().batchSize().count()).isZero();
  }

  @Test
  void hashCode_thatThrows_failsThatCallOnly() throws Exception {
    record Bad(int id) {
      @Override
      public int hashCode() {
        if (id < 0) {
          throw new IllegalStateException("hash");
        }
        return id;
      }
    }
    Collapser<Bad, Integer> collapser =
        tenrec
            .collapserByPosition("Bad", (List<Bad> ids) -> ids.stream().map(Bad::id).toList())
            .globalScope()
            .build();
    CompletableFuture<Integer> good = collapser.executeAsync(new Bad(1));
    CompletableFuture<Integer> bad = collapser.executeAsync(new Bad(-1));
    assertThat(error(bad)).hasMessage("hash");
    window();
    assertThat(get(good)).isOne();
  }

  @Test
  void close_failsWhatWaits() throws Exception {
    Collapser<Integer, Integer> collapser = builder().timerDelay(Duration.ofHours(1)).build();
    CompletableFuture<Integer> waiting = collapser.executeAsync(1);
    assertThat(tenrec.close(Duration.ZERO)).isEmpty();
    assertThat(waiting).isCancelled();
    assertThat(error(waiting)).hasMessage("Double was cancelled: its Tenrec was closed");
    assertThat(error(collapser.executeAsync(2)))
        .isInstanceOf(CommandRejectedException.class)
        .hasMessageContaining("Tenrec closed");
    assertThatThrownBy(() -> collapser.execute(2)).isInstanceOf(CommandRejectedException.class);
  }

  @Test
  void remove_rejectsCallsAndFailsWhatWaits() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    CompletableFuture<Integer> waiting = collapser.executeAsync(1);
    assertThat(tenrec.remove("Double")).isTrue();
    assertThat(tenrec.collapsers()).isEmpty();
    window();
    assertThat(error(waiting))
        .hasMessage("Double was cancelled: it was removed, or its Tenrec closed");
    assertThat(error(collapser.executeAsync(2))).isInstanceOf(CommandRejectedException.class);
    Collapser<Integer, Integer> again = builder().maxRequestsInBatch(1).build();
    assertThat(get(again.executeAsync(4))).isEqualTo(8);
  }

  @Test
  void build_sameKey_sharesOrIsAnError() throws Exception {
    Collapser<Integer, Integer> one = builder().maxRequestsInBatch(1).build();
    Collapser<Integer, Integer> same = builder().maxRequestsInBatch(1).build();
    assertThat(get(one.executeAsync(1))).isEqualTo(2);
    assertThat(get(same.executeAsync(1))).isEqualTo(2);
    assertThat(one.view().cumulativeBatches()).isEqualTo(2);
    assertThatThrownBy(() -> builder().maxRequestsInBatch(5).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("maxRequestsInBatch=5");
    assertThat(one.isClosed()).as("it was there before").isFalse();
    assertThat(get(one.executeAsync(1))).isEqualTo(2);
    assertThatThrownBy(() -> builder().maxRequestsInBatch(0))
        .hasMessageContaining("maxRequestsInBatch = 0");
  }

  @Test
  void build_sameKey_eachHasItsOwnFunctionAndBatches() throws Exception {
    Collapser<Integer, Integer> doubles = builder().build();
    Collapser<Integer, Integer> triples =
        tenrec.collapser("Double", answering(id -> id * 3)).globalScope().build();
    CompletableFuture<Integer> twice = doubles.executeAsync(1);
    CompletableFuture<Integer> thrice = triples.executeAsync(1);
    CompletableFuture<Integer> twiceTwo = doubles.executeAsync(2);
    window();
    assertThat(get(twice)).isEqualTo(2);
    assertThat(get(thrice)).isEqualTo(3);
    assertThat(get(twiceTwo)).isEqualTo(4);
    assertThat(batches).containsExactlyInAnyOrder(List.of(1, 2), List.of(1));
    assertThat(triples.view().cumulativeBatches()).as("of the key").isEqualTo(2);
  }

  @Test
  void build_sameKey_sharesPermitsAndCircuit() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Collapser<Integer, Integer> holding =
        sharing(
            ids -> {
              begun.countDown();
              go.await();
              throw new IOException("down");
            });
    Collapser<Integer, Integer> other = sharing(doubling);
    CompletableFuture<Integer> held = holding.executeAsync(1);
    assertThat(begun.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(error(other.executeAsync(2))).isInstanceOf(CommandRejectedException.class);
    time.advanceMillis(600); // for the breaker to look
    go.countDown();
    assertThat(error(held)).isInstanceOf(IOException.class);
    await().until(() -> holding.batchView().circuitState() == CircuitState.OPEN);
    assertThat(error(other.executeAsync(3))).isInstanceOf(CircuitOpenException.class);
    assertThat(batches).isEmpty();
  }

  /** One permit for all that are built so, and a circuit that the second error opens. */
  private Collapser<Integer, Integer> sharing(BatchWork<Integer, Integer> function) {
    return tenrec
        .collapser("Shared", function)
        .globalScope()
        .maxRequestsInBatch(1)
        .isolation(Isolation.semaphore(1))
        .property("circuitBreaker.requestVolumeThreshold", "2")
        .build();
  }

  @Test
  void build_sameKeyOverAnotherCommandThatIsThere_isAnError() {
    builder().batchKey("First").build();
    tenrec.collapser("Other", doubling).batchKey("Second").group("Group").globalScope().build();

    assertThatThrownBy(() -> builder().batchKey("Second").group("Group").build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("collapser Double was built before with the batch command First, now Second");
    assertThat(tenrec.commands())
        .extracting(CommandView::key)
        .containsExactlyInAnyOrder("First", "Second");
  }

  @Test
  void remove_byTheCollapsersKey_takesTheCommandOfItsBatches() {
    builder().batchKey("Batches").build();

    assertThat(tenrec.remove("Double")).isTrue();

    assertThat(tenrec.commands()).isEmpty();
    assertThat(tenrec.remove("Double")).isFalse();
  }

  @Test
  void callbackExecutor_full_rejectsTheBatch() throws Exception {
    try (Tenrec small =
        Tenrec.builder()
            .time(time, time)
            .callbackExecutor(
                task -> {
                  throw new java.util.concurrent.RejectedExecutionException();
                })
            .build()) {
      Collapser<Integer, Integer> collapser =
          small.collapser("Double", doubling).globalScope().maxRequestsInBatch(2).build();
      CompletableFuture<Integer> one = collapser.executeAsync(1);
      CompletableFuture<Integer> two = collapser.executeAsync(2);
      assertThat(error(one))
          .isInstanceOf(CommandRejectedException.class)
          .hasMessage(
              "Double was rejected: the callback executor had no room to start its batch (2"
                  + " requests waited in it)");
      assertThat(error(two)).isInstanceOf(CommandRejectedException.class);
      assertThat(batches).isEmpty();
    }
  }

  /**
   * By another thread, say: it is not told of a busy executor, for there is nobody to ask again.
   */
  @Test
  void callbackExecutor_full_whileTheKeyIsRemoved_cancelsTheBatch() throws Exception {
    AtomicReference<Tenrec> removing = new AtomicReference<>();
    try (Tenrec small =
        Tenrec.builder()
            .time(time, time)
            .callbackExecutor(
                task -> {
                  boolean unused = removing.get().remove("Double");
                  throw new java.util.concurrent.RejectedExecutionException();
                })
            .build()) {
      removing.set(small);
      Collapser<Integer, Integer> collapser =
          small.collapser("Double", doubling).globalScope().maxRequestsInBatch(2).build();
      CompletableFuture<Integer> one = collapser.executeAsync(1);
      CompletableFuture<Integer> two = collapser.executeAsync(2);
      assertThat(error(one))
          .isInstanceOf(CancellationException.class)
          .hasMessage("Double was cancelled: it was removed, or its Tenrec closed");
      assertThat(error(two)).isInstanceOf(CancellationException.class);
      assertThat(batches).isEmpty();
    }
  }

  /** Like any other refusal, it is among the command's last trouble. */
  @Test
  void callbackExecutor_full_isWrittenDownAsTrouble() throws Exception {
    try (Tenrec small =
        Tenrec.builder()
            .time(time, time)
            .callbackExecutor(
                task -> {
                  throw new java.util.concurrent.RejectedExecutionException();
                })
            .build()) {
      Collapser<Integer, Integer> collapser =
          small.collapser("Double", doubling).globalScope().maxRequestsInBatch(2).build();
      CompletableFuture<Integer> one = collapser.executeAsync(1);
      CompletableFuture<Integer> two = collapser.executeAsync(2);
      assertThat(error(one)).isInstanceOf(CommandRejectedException.class);
      assertThat(error(two)).isInstanceOf(CommandRejectedException.class);

      assertThat(collapser.batchView().lastTrouble())
          .singleElement()
          .isInstanceOfSatisfying(
              JournalEntry.CallRefused.class,
              refused ->
                  assertThat(refused.refusal())
                      .isEqualTo(
                          new CallRefusal(
                              CommandRejectedException.Reason.BATCH_START,
                              "the callback executor",
                              2,
                              0)));
    }
  }

  @Test
  void callbackExecutor_busy_timesTheBatchOut() throws Exception {
    List<Runnable> kept = new CopyOnWriteArrayList<>();
    try (Tenrec busy =
            Tenrec.builder().time(time, time).callbackExecutor(task -> kept.add(task)).build();
        // closing gives up by this clock what is handed over late, and runs nowhere
        Elsewhere.Closing unused = () -> Elsewhere.close(busy, time)) {
      Collapser<Integer, Integer> collapser =
          busy.collapser("Double", doubling).globalScope().timeout(Duration.ofMillis(30)).build();
      CompletableFuture<Integer> one = collapser.executeAsync(1);
      window();
      await().until(() -> !kept.isEmpty());
      time.advanceMillis(29);
      assertThat(one).isNotDone();
      time.advanceMillis(1);
      assertThatThrownBy(() -> get(one)) // on time, whatever the executor does
          .hasCauseInstanceOf(CommandTimeoutException.class)
          .hasMessageContaining("still waiting for a thread");
      kept.forEach(Runnable::run);
      assertThat(batches).isEmpty();
    }
  }

  // Doors that wait, in real time: a full batch needs none of it.

  @Test
  void execute_answersThrowsAndWraps() {
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Doors",
                (List<Integer> ids) ->
                    BatchResult.<Integer, Integer>empty()
                        .answered(1, 10)
                        .failed(2, new IOException("gone")))
            .maxRequestsInBatch(1)
            .globalScope()
            .build();
    assertThat(collapser.execute(1)).isEqualTo(10);
    assertThatThrownBy(() -> collapser.execute(2))
        .isInstanceOf(CommandFailedException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(collapser.toSingle(1).blockingGet()).isEqualTo(10);
    Outcome<Integer> outcome = collapser.attempt(1);
    assertThat(outcome.value()).isEqualTo(10);
    assertThat(outcome.events()).containsExactly(EventType.SUCCESS, EventType.COLLAPSED);
    assertThat(outcome.executionLatency()).isNotNull();
    Outcome<Integer> failed = collapser.attempt(2);
    assertThat(failed.isAnswered()).isFalse();
    assertThat(failed.error()).isInstanceOf(IOException.class);
    assertThat(failed.has(EventType.COLLAPSED)).isTrue();
    List<Object> received = new CopyOnWriteArrayList<>();
    CountDownLatch done = new CountDownLatch(2);
    for (int id : new int[] {1, 2}) {
      collapser.execute(
          id,
          new dev.tenrec.core.outcome.Receiver<Integer>() {
            @Override
            public void onValue(Integer value) {
              received.add(value);
              done.countDown();
            }

            @Override
            public void onError(Throwable error) {
              received.add(error.getMessage());
              done.countDown();
              throw new IllegalStateException("a receiver's own fault, which is logged");
            }
          });
    }
    assertThat(awaited(done)).isTrue();
    assertThat(received).containsExactlyInAnyOrder(10, "gone");
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(PatientWaits.seconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void execute_interrupted_leavesAndKeepsTheFlag() throws Exception {
    Collapser<Integer, Integer> collapser = builder().build();
    CompletableFuture<Integer> stays = collapser.executeAsync(2);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> collapser.execute(1)).isInstanceOf(CommandInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    window();
    assertThat(get(stays)).isEqualTo(4);
    assertThat(batches).containsExactly(List.of(2));
  }

  @Test
  void execute_fromSeveralThreads_sharesOneBatch() throws Exception {
    Collapser<Integer, Integer> collapser = builder().maxRequestsInBatch(3).build();
    List<Thread> callers = new ArrayList<>();
    Map<Integer, Integer> answers = new java.util.concurrent.ConcurrentHashMap<>();
    for (int i = 0; i < 3; i++) {
      int id = i;
      Thread caller = new Thread(() -> answers.put(id, collapser.execute(id)));
      caller.start();
      callers.add(caller);
    }
    for (Thread caller : callers) {
      caller.join(PatientWaits.patience().toMillis());
    }
    assertThat(answers).containsExactlyInAnyOrderEntriesOf(Map.of(0, 0, 1, 2, 2, 4));
    assertThat(batches).hasSize(1);
  }
}
