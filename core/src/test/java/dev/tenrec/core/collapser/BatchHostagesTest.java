// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.collapser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Collapser;
import dev.tenrec.core.CollapserBuilder;
import dev.tenrec.core.Command;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.LeakGuard;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.kit.Way;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.work.BatchWork;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.disposables.Disposable;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No member of a batch waits for what is hung on another one's future, or for what hangs there. */
@OwnThread
class BatchHostagesTest {

  /** Between two steps of manual time, of which there are many. */
  private static final Duration LOOK = Duration.ofMillis(5);

  private static final BatchWork<Integer, Integer> DOUBLING =
      ids -> ids.stream().collect(Collectors.toMap(Function.identity(), id -> id * 2));

  static Stream<Isolation> isolations() {
    return Way.all().stream().filter(way -> way != Way.STAGE).map(way -> way.isolation(200));
  }

  /** Where a sharer does not wait on its own thread. */
  static Stream<Isolation> away() {
    return Way.away().stream().map(Way::isolation);
  }

  @RegisterExtension final LeakGuard leaks = new LeakGuard();
  private final Tenrec tenrec = leaks.watch(Tenrec.create());
  private final ExecutorService callers = Executors.newCachedThreadPool();
  private final CountDownLatch release = new CountDownLatch(1);

  /** Before the guard looks. */
  @AfterEach
  void release() {
    release.countDown();
    callers.shutdown();
  }

  private CollapserBuilder<Integer, Integer> doubling(String key, Isolation isolation) {
    return tenrec
        .collapser(key, DOUBLING)
        .globalScope()
        .isolation(isolation)
        .timeout(Duration.ofSeconds(Uninterruptibly.HANGS_SECONDS))
        .timerDelay(Duration.ofMillis(50))
        .maxRequestsInBatch(1_000);
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  /** Blocks, unless its answer was there before it was hung on. */
  private Integer held(Integer value, Thread tester) {
    if (Thread.currentThread() != tester) {
      Uninterruptibly.await(release);
    }
    return value;
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void dependent_thatWaitsForAnotherMember_holdsUpNobody(Isolation isolation) throws Exception {
    long batches;
    int round = 0;
    do { // again where a slow machine has made a batch of each
      Collapser<Integer, Integer> collapser = doubling("Batch" + round++, isolation).build();
      CompletableFuture<Integer> f1 = collapser.executeAsync(1);
      CompletableFuture<Integer> f2 = collapser.executeAsync(2);
      CompletableFuture<Integer> sum = f1.thenApply(v -> v + f2.join());
      CompletableFuture<Integer> back = f2.thenApply(v -> v + f1.join());

      Future<Integer> unrelated = callers.submit(() -> collapser.execute(3));

      assertThat(get(unrelated)).isEqualTo(6);
      assertThat(get(sum)).isEqualTo(6);
      assertThat(get(back)).isEqualTo(6);
      batches = collapser.view().cumulativeBatches();
      assertThat(batches).isBetween(1L, 3L);
    } while (batches > 2 && round < 100);
    assertThat(batches).isLessThanOrEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void dependents_thatBlock_delayNoMember(Isolation isolation) throws Exception {
    Collapser<Integer, Integer> collapser = doubling("Batch", isolation).build();
    List<CompletableFuture<Integer>> futures = new ArrayList<>();
    List<CompletableFuture<Integer>> dependents = new ArrayList<>();
    Thread tester = Thread.currentThread();
    for (int i = 0; i < 50; i++) {
      CompletableFuture<Integer> future = collapser.executeAsync(i);
      futures.add(future);
      dependents.add(future.thenApply(value -> held(value, tester)));
    }
    Future<Integer> waiting = callers.submit(() -> collapser.execute(100));

    assertThat(get(waiting)).isEqualTo(200);
    for (int i = 0; i < 50; i++) {
      assertThat(get(futures.get(i))).isEqualTo(i * 2);
    }
    assertThat(collapser.execute(101)).as("a later batch").isEqualTo(202);
    release.countDown();
    for (CompletableFuture<Integer> dependent : dependents) {
      assertThat(get(dependent)).isNotNull();
    }
  }

  @Test
  void sharers_ofACachedMember_withDependentsThatBlock_areAllAnswered() throws Exception {
    Collapser<Integer, Integer> collapser =
        doubling("Batch", Isolation.threadPool().coreSize(2)).cacheKey(id -> id).build();
    try (RequestContext request = tenrec.openRequest()) {
      List<CompletableFuture<Integer>> futures = new ArrayList<>();
      List<CompletableFuture<Integer>> dependents = new ArrayList<>();
      Thread tester = Thread.currentThread();
      for (int i = 0; i < 50; i++) {
        CompletableFuture<Integer> future = collapser.executeAsync(1);
        futures.add(future);
        dependents.add(future.thenApply(value -> held(value, tester)));
      }
      Future<Integer> waiting = callers.submit(request.wrap(() -> collapser.execute(1)));

      assertThat(get(waiting)).isEqualTo(2);
      for (CompletableFuture<Integer> future : futures) {
        assertThat(get(future)).isEqualTo(2);
      }
      release.countDown();
      for (CompletableFuture<Integer> dependent : dependents) {
        assertThat(get(dependent)).isEqualTo(2);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("away")
  void sharers_ofACachedRun_withDependentsThatBlock_areAllAnswered(Isolation isolation)
      throws Exception {
    CountDownLatch all = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    Command<Integer, Integer> command =
        tenrec
            .command(
                "Cached",
                (Integer id) -> {
                  runs.incrementAndGet();
                  Uninterruptibly.await(all);
                  return id * 2;
                })
            .cacheKey(id -> id)
            .isolation(isolation)
            .withoutTimeout()
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      Future<CompletableFuture<Integer>> first =
          callers.submit(request.wrap(() -> command.executeAsync(1))); // runs there, maybe
      await().until(() -> runs.get() == 1);
      List<CompletableFuture<Integer>> futures = new ArrayList<>();
      List<CompletableFuture<Integer>> dependents = new ArrayList<>();
      Thread tester = Thread.currentThread();
      for (int i = 0; i < 50; i++) {
        CompletableFuture<Integer> future = command.executeAsync(1);
        futures.add(future);
        dependents.add(future.thenApply(value -> held(value, tester)));
      }
      Future<Integer> waiting = callers.submit(request.wrap(() -> command.execute(1)));
      all.countDown();

      assertThat(get(get(first))).isEqualTo(2);
      assertThat(get(waiting)).isEqualTo(2);
      for (CompletableFuture<Integer> future : futures) {
        assertThat(get(future)).isEqualTo(2);
      }
      assertThat(runs).hasValue(1);
      release.countDown();
      for (CompletableFuture<Integer> dependent : dependents) {
        assertThat(get(dependent)).isEqualTo(2);
      }
    }
  }

  /** More than a share has threads, each of them waiting for the next batch of the same. */
  @ParameterizedTest
  @MethodSource("isolations")
  void dependents_thatAskTheSameCollapserAgain_areAllAnswered(Isolation isolation)
      throws Exception {
    Collapser<Integer, Integer> collapser = doubling("Batch", isolation).build();
    List<CompletableFuture<Integer>> chains = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      chains.add(collapser.executeAsync(i).thenApply(collapser::execute));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(get(chains.get(i))).isEqualTo(i * 4);
    }
  }

  /** A map whose entries do not come. */
  private Map<Integer, Integer> blockingMap(CountDownLatch iterating) {
    return new AbstractMap<>() {
      @Override
      public Set<Entry<Integer, Integer>> entrySet() {
        iterating.countDown();
        Uninterruptibly.await(release);
        return Set.of();
      }
    };
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void members_whoseAnswersBlockInIteration_endInTime(Isolation isolation) throws Exception {
    ManualTime time = new ManualTime();
    Tenrec timed = leaks.watch(Tenrec.builder().time(time, time).build());
    CountDownLatch iterating = new CountDownLatch(1);
    Collapser<Integer, Integer> collapser =
        timed
            .collapser("Blocks", (List<Integer> ids) -> blockingMap(iterating))
            .globalScope()
            .isolation(isolation)
            .maxRequestsInBatch(2)
            .timeout(Duration.ofMillis(300))
            .build();
    CompletableFuture<Integer> future = collapser.executeAsync(1);
    Future<Throwable> waiting = callers.submit(() -> collapser.attempt(2).error());
    Uninterruptibly.await(iterating);

    await()
        .pollInterval(LOOK)
        .until(
            () -> {
              time.advanceMillis(50);
              return future.isDone() && waiting.isDone();
            });

    assertThat(get(future.<Throwable>handle((value, error) -> error)))
        .isInstanceOf(CommandTimeoutException.class);
    assertThat(get(waiting)).isInstanceOf(CommandTimeoutException.class);
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void members_whoseAnswersBlockInIteration_withoutATimeOut_endAtClose(Isolation isolation)
      throws Exception {
    CountDownLatch iterating = new CountDownLatch(1);
    Tenrec closed = Tenrec.create();
    Collapser<Integer, Integer> collapser =
        closed
            .collapser("Blocks", (List<Integer> ids) -> blockingMap(iterating))
            .globalScope()
            .isolation(isolation)
            .withoutTimeout()
            .timerDelay(Duration.ofMinutes(10))
            .maxRequestsInBatch(2) // in one batch: another one would perhaps be at its gates
            .build();
    CompletableFuture<Integer> future = collapser.executeAsync(1);
    Future<Throwable> waiting = callers.submit(() -> collapser.attempt(2).error());
    Uninterruptibly.await(iterating);
    await().until(() -> collapser.view().cumulativeMembers() == 2);

    List<StillRunning> left = closed.close(Duration.ofMillis(10));

    assertThat(left).isNotEmpty();
    assertThat(future).isDone();
    assertThat(get(future.<Throwable>handle((value, error) -> error)))
        .isInstanceOf(CancellationException.class);
    assertThat(get(waiting)).isInstanceOf(CancellationException.class);
    release.countDown();
    closed.close();
    await().until(() -> closed.liveThreads() == 0);
  }

  /** A map that has one entry, and then blocks. */
  private Map<Integer, Integer> haltingMap(CountDownLatch halted) {
    return new AbstractMap<>() {
      @Override
      public Set<Entry<Integer, Integer>> entrySet() {
        return new AbstractSet<>() {
          @Override
          public Iterator<Entry<Integer, Integer>> iterator() {
            return Stream.of(Map.entry(1, 2), Map.entry(2, 4))
                .peek(
                    entry -> {
                      if (entry.getKey() == 2) {
                        halted.countDown();
                        Uninterruptibly.await(release);
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
    };
  }

  /** It is published: what hangs on it must not wait for the answers of the others. */
  @ParameterizedTest
  @MethodSource("isolations")
  void members_answeredBeforeTheIterationBlocks_areDeliveredToInTime(Isolation isolation)
      throws Exception {
    ManualTime time = new ManualTime();
    Tenrec timed = leaks.watch(Tenrec.builder().time(time, time).build());
    CountDownLatch halted = new CountDownLatch(1);
    Collapser<Integer, Integer> collapser =
        timed
            .collapser("Halts", (List<Integer> ids) -> haltingMap(halted))
            .globalScope()
            .isolation(isolation)
            .maxRequestsInBatch(2)
            .timeout(Duration.ofMillis(300))
            .build();
    CompletableFuture<Integer> received = new CompletableFuture<>();
    Disposable unused =
        collapser.toSingle(1).subscribe(received::complete, received::completeExceptionally);
    CompletableFuture<Integer> dependent = collapser.executeAsync(1).thenApply(value -> value);
    CompletableFuture<Integer> second = collapser.executeAsync(2);
    Uninterruptibly.await(halted);
    assertThat(received).isNotDone();

    await()
        .pollInterval(LOOK)
        .until(
            () -> {
              time.advanceMillis(50);
              return received.isDone() && dependent.isDone() && second.isDone();
            });

    assertThat(get(received)).isEqualTo(2);
    assertThat(get(dependent)).isEqualTo(2);
    assertThat(get(second.<Throwable>handle((value, error) -> error)))
        .isInstanceOf(CommandTimeoutException.class);
  }

  @Test
  void collapser_withinACollapser_onSemaphores_100AtOnce_endsThemAll() throws Exception {
    Collapser<Integer, Integer> inner = doubling("Inner", Isolation.semaphore(1_000)).build();
    Collapser<Integer, Integer> outer =
        tenrec
            .collapser(
                "Outer",
                (List<Integer> ids) ->
                    ids.stream().collect(Collectors.toMap(Function.identity(), inner::execute)))
            .globalScope()
            .isolation(Isolation.semaphore(1_000))
            .maxRequestsInBatch(1)
            .timeout(Duration.ofSeconds(Uninterruptibly.HANGS_SECONDS))
            .build();
    List<CompletableFuture<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      futures.add(outer.executeAsync(i));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(get(futures.get(i))).isEqualTo(i * 2);
    }
  }

  /** All threads of its share wait for batches that wait for one: until their time is over. */
  @Test
  void collapser_withinItself_onASemaphore_endsByItsTimeOut() throws Exception {
    CompletableFuture<Collapser<Integer, Integer>> self = new CompletableFuture<>();
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Self",
                (List<Integer> ids) ->
                    ids.stream()
                        .collect(
                            Collectors.toMap(
                                Function.identity(),
                                id -> id < 1_000 ? self.join().execute(id + 1_000) : id)))
            .globalScope()
            .isolation(Isolation.semaphore(1_000))
            .maxRequestsInBatch(1)
            .timeout(Duration.ofMillis(500))
            .withoutCircuitBreaker()
            .build();
    self.complete(collapser);
    List<CompletableFuture<Integer>> futures = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      futures.add(collapser.executeAsync(i));
    }
    for (CompletableFuture<Integer> future : futures) {
      Object unused = get(future.handle((value, error) -> error == null ? value : error));
    }
  }
}
