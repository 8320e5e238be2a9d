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
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.TenrecBuilder;
import dev.tenrec.core.context.ContextPropagator;
import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.OwnThread;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a batch calls of the user's before its work begins may block: that concerns no other
 * command, not the timer, and other members for the time-out at the most.
 */
@OwnThread
class BatchForeignCodeTest {

  /** The time-out of the batches, and the 50 ms after which it reaches members anyhow. */
  private static final Duration IN_TIME = Duration.ofMillis(100 + 50);

  /** What of an argument blocks. */
  enum Blocking {
    NOTHING,
    HASH_CODE,
    EQUALS
  }

  /** All have one hash code, so each is compared with those that came before. */
  private final class Argument {
    private final int number;
    private final Blocking blocking;

    private Argument(int number, Blocking blocking) {
      this.number = number;
      this.blocking = blocking;
    }

    @Override
    public int hashCode() {
      if (blocking == Blocking.HASH_CODE) {
        block();
      }
      return 7;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (blocking == Blocking.EQUALS) {
        block();
      }
      return other instanceof Argument argument && argument.number == number;
    }
  }

  private final ManualTime time = new ManualTime();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final ExecutorService callers = Executors.newCachedThreadPool();

  @RegisterExtension final LeakGuard leaks = new LeakGuard();

  /** Before the guard looks. */
  @AfterEach
  void release() {
    release.countDown();
    callers.shutdown();
  }

  private void block() {
    blocked.countDown();
    Uninterruptibly.await(release);
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  private static @Nullable Throwable error(CompletableFuture<?> future) throws Exception {
    return get(future.<@Nullable Throwable>handle((value, error) -> error));
  }

  private CollapserBuilder<Argument, Integer> numbers(Tenrec tenrec) {
    return tenrec
        .collapser(
            "Numbers",
            (List<Argument> arguments) ->
                arguments.stream()
                    .collect(Collectors.toMap(Function.identity(), argument -> argument.number)))
        .globalScope();
  }

  private CollapserBuilder<Integer, Integer> doubling(Tenrec tenrec) {
    return tenrec.collapser(
        "Double",
        (List<Integer> ids) -> {
          runs.incrementAndGet();
          return ids.stream().collect(Collectors.toMap(Function.identity(), id -> id * 2));
        });
  }

  private Argument plain(int number) {
    return new Argument(number, Blocking.NOTHING);
  }

  /** Joins on another thread, which stays in the argument's code. */
  private void joinBlocked(Collapser<Argument, Integer> collapser, Blocking blocking) {
    callers.execute(
        () -> {
          CompletableFuture<Integer> unused = collapser.executeAsync(new Argument(2, blocking));
        });
    Uninterruptibly.await(blocked);
  }

  @ParameterizedTest
  @EnumSource(
      value = Blocking.class,
      names = {"HASH_CODE", "EQUALS"})
  void argument_thatBlocksItsCaller_holdsUpNoOtherMember(Blocking blocking) throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Collapser<Argument, Integer> collapser =
        numbers(tenrec).withoutTimeout().timerDelay(Duration.ofMillis(500)).build();
    CompletableFuture<Integer> before = collapser.executeAsync(plain(1));
    joinBlocked(collapser, blocking); // in the same window, or it is compared with nothing
    CompletableFuture<Integer> after = get(callers.submit(() -> collapser.executeAsync(plain(3))));
    time.advanceMillis(500);

    assertThat(get(before)).isEqualTo(1);
    assertThat(get(after)).isEqualTo(3);
    release.countDown();
    await()
        .until(
            () -> {
              time.advanceMillis(500);
              return collapser.view().cumulativeMembers() == 3;
            });
  }

  @ParameterizedTest
  @EnumSource(
      value = Blocking.class,
      names = {"HASH_CODE", "EQUALS"})
  void close_whileAnArgumentBlocksItsCaller_endsTheOtherMembers(Blocking blocking)
      throws Exception {
    Tenrec tenrec = Tenrec.create();
    Collapser<Argument, Integer> collapser =
        numbers(tenrec).timerDelay(Duration.ofMinutes(1)).build();
    CompletableFuture<Integer> before = collapser.executeAsync(plain(1));
    joinBlocked(collapser, blocking);

    Object unused = get(callers.submit(() -> tenrec.close(Duration.ofMillis(1))));

    assertThat(error(before)).isInstanceOf(CancellationException.class);
    release.countDown();
    await().until(() -> tenrec.liveThreads() == 0);
  }

  /** The window ends, and there is no room for its start: the timer's thread refuses the batch. */
  @ParameterizedTest
  @EnumSource(
      value = Blocking.class,
      names = {"HASH_CODE", "EQUALS"})
  void batch_refusedWhileAnArgumentBlocksItsCaller_holdsUpNoTimeout(Blocking blocking)
      throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).callbacks(1, 0).build());
    CountDownLatch full = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Collapser<Argument, Integer> collapser =
        tenrec
            .collapser(
                "Numbers",
                (List<Argument> arguments) -> {
                  begun.countDown();
                  Uninterruptibly.await(full);
                  return arguments.stream()
                      .collect(Collectors.toMap(Function.identity(), argument -> argument.number));
                })
            .globalScope()
            .isolation(Isolation.semaphore(100))
            .withoutTimeout()
            .timerDelay(Duration.ofMillis(300))
            .maxRequestsInBatch(2)
            .build();
    try {
      CompletableFuture<Integer> first = collapser.executeAsync(plain(10)); // fills the one thread
      time.advanceMillis(300);
      Uninterruptibly.await(begun);
      CompletableFuture<Integer> member = collapser.executeAsync(plain(1));
      joinBlocked(collapser, blocking); // in the same window, or it is compared with nothing
      time.advanceMillis(300);
      assertThat(error(member)).as("refused by the timer's thread").isNotNull();

      CountDownLatch atWork = new CountDownLatch(1);
      Command<Integer, Integer> other =
          tenrec
              .command(
                  "Other",
                  (Integer id) -> {
                    atWork.countDown();
                    return Uninterruptibly.sleepOrInterrupt();
                  })
              .timeout(Duration.ofMillis(50))
              .build();
      CompletableFuture<Integer> late = other.executeAsync(1);
      Uninterruptibly.await(atWork); // a call that begins late is ended by its own thread
      time.advanceMillis(50);
      assertThat(error(late)).isInstanceOf(CommandTimeoutException.class);
      full.countDown();
      assertThat(get(first)).isEqualTo(10);
    } finally {
      full.countDown();
    }
  }

  private Integer shardOf(Integer id) {
    if (id == 2) {
      block();
    }
    return id;
  }

  @Test
  void shards_ofOneArgumentBlocking_endTheOtherMembersInTime() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Collapser<Integer, Integer> collapser =
        doubling(tenrec)
            .globalScope()
            .shards(id -> shardOf(id))
            .maxRequestsInBatch(3)
            .timerDelay(Duration.ofDays(1))
            .timeout(Duration.ofMillis(100))
            .build();

    CompletableFuture<Integer> first = collapser.executeAsync(1);
    CompletableFuture<Integer> second = collapser.executeAsync(2);
    Future<Throwable> third = callers.submit(() -> collapser.attempt(3).error());
    Uninterruptibly.await(blocked);
    time.advance(IN_TIME);

    assertThat(error(first)).isInstanceOf(CommandTimeoutException.class);
    assertThat(error(second)).isInstanceOf(CommandTimeoutException.class);
    assertThat(get(third)).isInstanceOf(CommandTimeoutException.class);
    release.countDown();
    tenrec.set("tenrec.collapser.Double.timerDelayInMilliseconds", "1");
    CompletableFuture<Integer> later = collapser.executeAsync(4);
    time.advanceMillis(1);
    assertThat(get(later)).as("a later batch").isEqualTo(8);
    assertThat(runs).as("works for members that wait").hasValue(1);
  }

  @Test
  void close_whileShardsBlock_endsTheMembersWithoutATimeout() throws Exception {
    Tenrec tenrec = Tenrec.create();
    Collapser<Integer, Integer> collapser =
        doubling(tenrec)
            .globalScope()
            .shards(id -> shardOf(id))
            .maxRequestsInBatch(2)
            .timerDelay(Duration.ofDays(1))
            .withoutTimeout()
            .build();
    CompletableFuture<Integer> first = collapser.executeAsync(1);
    CompletableFuture<Integer> second = collapser.executeAsync(2);
    Uninterruptibly.await(blocked);

    Object unused = get(callers.submit(() -> tenrec.close(Duration.ofMillis(1))));

    assertThat(error(first)).isInstanceOf(CancellationException.class);
    assertThat(error(second)).isInstanceOf(CancellationException.class);
    release.countDown();
    await().until(() -> tenrec.liveThreads() == 0);
    assertThat(runs).as("works for members that wait").hasValue(0);
  }

  /** Its first installation blocks. */
  private Tenrec blockingOnce(TenrecBuilder builder) {
    AtomicBoolean done = new AtomicBoolean();
    ContextPropagator.Captured captured =
        () -> {
          if (done.compareAndSet(false, true)) {
            block();
          }
          return () -> {};
        };
    return builder.propagate(() -> captured).build();
  }

  @Test
  void propagator_thatBlocksABatch_endsItsMembersInTime() throws Exception {
    Tenrec tenrec = leaks.watch(blockingOnce(Tenrec.builder().time(time, time)));
    Collapser<Integer, Integer> collapser =
        doubling(tenrec)
            .maxRequestsInBatch(2)
            .timerDelay(Duration.ofDays(1))
            .timeout(Duration.ofMillis(100))
            .build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> first = collapser.executeAsync(1);
      CompletableFuture<Integer> second = collapser.executeAsync(2);
      Uninterruptibly.await(blocked);
      time.advance(IN_TIME);
      assertThat(error(first)).isInstanceOf(CommandTimeoutException.class);
      assertThat(error(second)).isInstanceOf(CommandTimeoutException.class);
      release.countDown();
      tenrec.set("tenrec.collapser.Double.timerDelayInMilliseconds", "1");
      CompletableFuture<Integer> later = collapser.executeAsync(3);
      time.advanceMillis(1);
      assertThat(get(later)).as("a later batch").isEqualTo(6);
    }
    assertThat(runs).as("works for members that wait").hasValue(1);
  }

  @Test
  void propagator_thatThrows_failsTheMembersOfThatBatchAtOnce() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    ContextPropagator.Captured captured =
        () -> {
          if (done.compareAndSet(false, true)) {
            throw new IllegalStateException("no context");
          }
          return () -> {};
        };
    Tenrec tenrec =
        leaks.watch(Tenrec.builder().time(time, time).propagate(() -> captured).build());
    Collapser<Integer, Integer> collapser =
        doubling(tenrec).maxRequestsInBatch(2).timerDelay(Duration.ofDays(1)).build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> first = collapser.executeAsync(1);
      CompletableFuture<Integer> second = collapser.executeAsync(2);
      assertThat(error(first)).isInstanceOf(IllegalStateException.class).hasMessage("no context");
      assertThat(error(second)).isSameAs(error(first));
      CompletableFuture<Integer> third = collapser.executeAsync(3);
      CompletableFuture<Integer> fourth = collapser.executeAsync(4);
      assertThat(get(third)).isEqualTo(6);
      assertThat(get(fourth)).isEqualTo(8);
    }
    assertThat(runs).hasValue(1);
  }

  /** At its time-out, and not with those whose execution is not made, which is later. */
  @Test
  void shard_thatWaitsForAThread_endsItsMembersAtTheTimeout() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).callbacks(1, 5).build());
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Held",
                (List<Integer> ids) -> {
                  runs.incrementAndGet();
                  block(); // the thread that started the batch, and goes on with the other shard
                  return Map.of(2, 4);
                })
            .globalScope()
            .isolation(Isolation.semaphore(2))
            .shards(id -> id)
            .maxRequestsInBatch(2)
            .timeout(Duration.ofMillis(100))
            .build();
    CompletableFuture<Integer> first = collapser.executeAsync(1);
    CompletableFuture<Integer> second = collapser.executeAsync(2);
    Uninterruptibly.await(blocked);
    await().until(() -> timerWaits(time));

    time.advanceMillis(99);
    await().until(() -> timerWaits(time));
    assertThat(first).isNotDone();
    time.advanceMillis(1);
    await().until(first::isDone);

    assertThat(runs).as("shards that have begun").hasValue(1);
    release.countDown();
    assertThat(error(first)).isInstanceOf(CommandTimeoutException.class);
    assertThat(error(second)).isInstanceOf(CommandTimeoutException.class);
    assertThat(runs).hasValue(1);
  }

  /** No thread comes for it, before the close or after. */
  @Test
  void close_whileABatchWaitsForAThread_endsItsMembers() throws Exception {
    List<Runnable> kept = new CopyOnWriteArrayList<>();
    Tenrec tenrec = keeping(kept, new AtomicBoolean(true));
    Collapser<Integer, Integer> collapser =
        doubling(tenrec).globalScope().maxRequestsInBatch(1).build();
    CompletableFuture<Integer> member = collapser.executeAsync(1);
    await().until(() -> !kept.isEmpty());

    Object unused = get(callers.submit(() -> tenrec.close(Duration.ZERO)));

    await().until(member::isDone);
    assertThat(member).isCancelled();
    kept.forEach(callers::execute);
    await().until(() -> tenrec.liveThreads() == 0);
    assertThat(runs).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void close_whileAPropagatorBlocksABatch_endsItsMembers(boolean timed) throws Exception {
    Tenrec tenrec = blockingOnce(Tenrec.builder());
    CollapserBuilder<Integer, Integer> built = doubling(tenrec).maxRequestsInBatch(1);
    Collapser<Integer, Integer> collapser =
        (timed ? built.timeout(Duration.ofHours(1)) : built.withoutTimeout()).build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> member = collapser.executeAsync(1);
      Uninterruptibly.await(blocked);

      Object unused = get(callers.submit(() -> tenrec.close(Duration.ofMillis(1))));

      assertThat(error(member)).isInstanceOf(CancellationException.class);
    }
    release.countDown();
    await().until(() -> tenrec.liveThreads() == 0);
    assertThat(runs).as("works for members that wait").hasValue(0);
  }

  /** Once a thread goes through the answers, the members wait no second for it. */
  @Test
  void answers_thatBlock_endTheMembersSoonAfterTheTimeout() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Blocking",
                (List<Integer> ids) ->
                    (Map<Integer, Integer>)
                        new AbstractMap<Integer, Integer>() {
                          @Override
                          public Set<Map.Entry<Integer, Integer>> entrySet() {
                            block();
                            return Set.of();
                          }
                        })
            .globalScope()
            .maxRequestsInBatch(1)
            .timeout(Duration.ofMillis(200))
            .build();
    CompletableFuture<Integer> member = collapser.executeAsync(1);
    Uninterruptibly.await(blocked);

    time.advanceMillis(200);
    for (int looks = 0; looks < 10 && !member.isDone(); looks++) { // 20 would be a second
      await().until(() -> member.isDone() || timerWaits(time));
      time.advanceMillis(50);
    }

    await().until(() -> member.isDone() || timerWaits(time));
    assertThat(member).isCompletedExceptionally();
    assertThat(error(member))
        .isInstanceOfSatisfying(
            CommandTimeoutException.class,
            late -> assertThat(late.workBegan()).as("it had its answers").isTrue());
    release.countDown();
  }

  /** A fallback may take as long as it needs; what it answers with is watched all the same. */
  @Test
  void answersOfASlowFallback_thatBlock_endTheMembersSoonAfterIt() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    CountDownLatch atFallback = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Collapser<Integer, Integer> collapser =
        tenrec
            .<Integer, Integer>collapser(
                "Falling",
                (List<Integer> ids) -> {
                  throw new IOException("down");
                })
            .globalScope()
            .maxRequestsInBatch(1)
            .timeout(Duration.ofMillis(200))
            .fallback(
                (ids, cause) -> {
                  atFallback.countDown();
                  Uninterruptibly.await(goOn);
                  return new AbstractMap<Integer, Integer>() {
                    @Override
                    public Set<Map.Entry<Integer, Integer>> entrySet() {
                      block();
                      return Set.of();
                    }
                  };
                })
            .build();
    CompletableFuture<Integer> member = collapser.executeAsync(1);
    Uninterruptibly.await(atFallback);
    for (int i = 0; i < 3; i++) { // far beyond the time-out
      await().until(() -> timerWaits(time));
      time.advanceMillis(250);
    }
    await().until(() -> timerWaits(time));
    assertThat(member).isNotDone();

    goOn.countDown();
    Uninterruptibly.await(blocked);
    for (int looks = 0; looks < 10 && !member.isDone(); looks++) {
      await().until(() -> member.isDone() || timerWaits(time));
      time.advanceMillis(50);
    }
    await().until(() -> member.isDone() || timerWaits(time));
    assertThat(member).isCompletedExceptionally();
    assertThat(error(member)).isInstanceOf(CommandTimeoutException.class);
    release.countDown();
  }

  /** At a time-out and 50 ms; to the millisecond, for a member must not end before its time. */
  @Test
  void propagator_thatBlocksABatch_leavesItsMembersTheirTime() throws Exception {
    Tenrec tenrec = leaks.watch(blockingOnce(Tenrec.builder().time(time, time)));
    Collapser<Integer, Integer> collapser =
        doubling(tenrec).maxRequestsInBatch(1).timeout(Duration.ofMillis(100)).build();
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<Integer> member = collapser.executeAsync(1);
      Uninterruptibly.await(blocked);
      await().until(() -> timerWaits(time));
      time.advance(IN_TIME.minusMillis(1));
      await().until(() -> timerWaits(time));
      assertThat(member).isNotDone();

      time.advanceMillis(1);
      assertThat(error(member)).isInstanceOf(CommandTimeoutException.class);
      release.countDown();
    }
  }

  /** Of a batch that nothing limits, the members wait for its work for as long as that takes. */
  @Test
  void work_ofHoursWithoutATimeout_answersItsMembers() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Collapser<Integer, Integer> collapser =
        held(tenrec).maxRequestsInBatch(1).withoutTimeout().build();
    CompletableFuture<Integer> member = collapser.executeAsync(1);
    Uninterruptibly.await(blocked);

    for (int hour = 1; hour <= 3; hour++) {
      await().until(() -> timerWaits(time));
      time.advance(Duration.ofHours(1));
      for (int looks = 0; looks < 3; looks++) {
        await().until(() -> timerWaits(time));
        assertThat(member).as("after %s hours", hour).isNotDone();
        time.advanceMillis(50);
      }
    }

    release.countDown();
    assertThat(get(member)).isEqualTo(2);
  }

  private void letHoursPass(CompletableFuture<?> member) {
    for (int hour = 1; hour <= 3; hour++) {
      await().until(() -> timerWaits(time));
      time.advance(Duration.ofHours(1));
      await().until(() -> member.isDone() || timerWaits(time));
      assertThat(member).as("after %s hours", hour).isNotDone();
    }
  }

  /** Another shard has the one thread there is, for as long as its work takes. */
  @Test
  void shard_thatWaitsForHoursWithoutATimeout_answersItsMembers() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).callbacks(1, 5).build());
    Collapser<Integer, Integer> collapser =
        held(tenrec)
            .isolation(Isolation.semaphore(2))
            .shards(id -> id)
            .maxRequestsInBatch(2)
            .withoutTimeout()
            .build();
    CompletableFuture<Integer> first = collapser.executeAsync(1);
    CompletableFuture<Integer> second = collapser.executeAsync(2);
    Uninterruptibly.await(blocked);

    letHoursPass(first);

    release.countDown();
    assertThat(get(first)).isEqualTo(2);
    assertThat(get(second)).isEqualTo(4);
  }

  @Test
  void division_ofHoursWithoutATimeout_answersItsMembers() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Collapser<Integer, Integer> collapser =
        doubling(tenrec)
            .globalScope()
            .shards(id -> shardOf(id))
            .maxRequestsInBatch(2)
            .withoutTimeout()
            .build();
    CompletableFuture<Integer> first = collapser.executeAsync(1);
    CompletableFuture<Integer> second = collapser.executeAsync(2);
    Uninterruptibly.await(blocked);

    letHoursPass(first);

    release.countDown();
    assertThat(get(first)).isEqualTo(2);
    assertThat(get(second)).isEqualTo(4);
  }

  /** It waited for a thread to start it: its members wait until its own time-out, and 50 ms. */
  @Test
  void work_thatBeganLongAfterItWasHandedOver_hasItsWholeTime() throws Exception {
    List<Runnable> kept = new CopyOnWriteArrayList<>();
    AtomicBoolean keeps = new AtomicBoolean(true);
    Tenrec tenrec = leaks.watch(keeping(kept, keeps));
    Collapser<Integer, Integer> collapser =
        held(tenrec).maxRequestsInBatch(1).timeout(Duration.ofMillis(200)).build();
    CompletableFuture<Integer> member = collapser.executeAsync(1);
    await().until(() -> !kept.isEmpty());
    time.advanceMillis(150);
    keeps.set(false);
    kept.forEach(callers::execute);
    Uninterruptibly.await(blocked); // until 350 at the most

    time.advanceMillis(100);
    await().until(() -> timerWaits(time));
    assertThat(member).as("after 250 ms").isNotDone();
    time.advanceMillis(50);
    await().until(() -> timerWaits(time));
    assertThat(member).as("after 300 ms").isNotDone();

    release.countDown();
    assertThat(get(member)).isEqualTo(2);
  }

  /** It has its whole time, and those it answers have not for ever to wait. */
  @ParameterizedTest
  @ValueSource(ints = {90, 150})
  void answersOfWorkThatBeganLate_thatBlock_endTheMembersSoonAfterItsTimeout(int millis)
      throws Exception {
    List<Runnable> kept = new CopyOnWriteArrayList<>();
    AtomicBoolean keeps = new AtomicBoolean(true);
    Tenrec tenrec = leaks.watch(keeping(kept, keeps));
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser("Blocking", (List<Integer> ids) -> blockingAnswers())
            .globalScope()
            .maxRequestsInBatch(1)
            .timeout(Duration.ofMillis(200))
            .build();
    CompletableFuture<Integer> member = collapser.executeAsync(1);
    await().until(() -> !kept.isEmpty());
    time.advanceMillis(millis);
    keeps.set(false);
    kept.forEach(callers::execute);
    Uninterruptibly.await(blocked); // it would have 200, and its members 50 more

    await().until(() -> timerWaits(time));
    time.advanceMillis(200 + 50 - millis); // when they would end if it had not begun
    await().until(() -> timerWaits(time));
    time.advanceMillis(millis - 1);
    await().until(() -> timerWaits(time));
    assertThat(member).as("50 ms after its time-out, nearly").isNotDone();
    time.advanceMillis(1);
    await().until(() -> timerWaits(time));
    time.advanceMillis(50);

    assertThat(error(member)).isInstanceOf(CommandTimeoutException.class);
    release.countDown();
  }

  private Map<Integer, Integer> blockingAnswers() {
    return new AbstractMap<>() {
      @Override
      public Set<Map.Entry<Integer, Integer>> entrySet() {
        block();
        return Set.of(Map.entry(1, 2));
      }
    };
  }

  /** Members without a time-out are looked after for as long as their work takes. */
  @Test
  void close_whileTheAnswersOfHoursOfWorkBlock_endsTheMembers() throws Exception {
    CountDownLatch works = new CountDownLatch(1);
    CountDownLatch hasWorked = new CountDownLatch(1);
    Tenrec tenrec = Tenrec.builder().time(time, time).build();
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Blocking",
                (List<Integer> ids) -> {
                  works.countDown();
                  Uninterruptibly.await(hasWorked);
                  return blockingAnswers();
                })
            .globalScope()
            .maxRequestsInBatch(1)
            .withoutTimeout()
            .build();
    CompletableFuture<Integer> member = collapser.executeAsync(1);
    Uninterruptibly.await(works);
    await().until(() -> timerWaits(time));
    time.advance(Duration.ofHours(2));
    await().until(() -> timerWaits(time));
    hasWorked.countDown();
    Uninterruptibly.await(blocked);

    Future<?> closed = callers.submit(() -> tenrec.close(Duration.ZERO));
    await().until(() -> isDoneSoon(member));

    assertThat(member).isCancelled();
    release.countDown();
    await().until(() -> isDoneSoon(closed));
    await().until(() -> tenrec.liveThreads() == 0);
  }

  /** Closing looks at the time now and then. */
  private boolean isDoneSoon(Future<?> future) {
    time.advanceMillis(10);
    return future.isDone();
  }

  /** The work has ended, and its thread is held up before it says so: it has a second for that. */
  @Test
  void answers_thatNoThreadGives_endTheMembersASecondAfterTheTimeout() throws Exception {
    InterludeTime clock = new InterludeTime(time);
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(clock, time).build());
    AtomicReference<Runnable> untilCounted = new AtomicReference<>();
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Staying",
                (List<Integer> ids) -> {
                  clock.atMyNextReading(untilCounted.get());
                  return Map.of(1, 2);
                })
            .globalScope()
            .maxRequestsInBatch(1)
            .timeout(Duration.ofMillis(200))
            .build();
    untilCounted.set(
        () -> {
          if (collapser.batchView().cumulativeCount(EventType.SUCCESS) == 1) {
            block();
          } else {
            clock.atMyNextReading(untilCounted.get());
          }
        });
    CompletableFuture<Integer> member = collapser.executeAsync(1);
    Uninterruptibly.await(blocked);
    await().until(() -> timerWaits(time));

    time.advanceMillis(200 + 50);
    for (int looks = 1; looks <= 20; looks++) {
      await().until(() -> timerWaits(time));
      assertThat(member).as("after %s looks", looks).isNotDone();
      time.advanceMillis(50);
    }
    await().until(() -> member.isDone() || timerWaits(time));
    assertThat(member).isCompletedExceptionally();
    assertThat(error(member)).isInstanceOf(CommandTimeoutException.class);
    release.countDown();
  }

  /** A thread that is about to give the answers has one look more. */
  @Test
  void answers_thatComeJustAfterTheTimeout_areReceived() throws Exception {
    Tenrec tenrec = leaks.watch(Tenrec.builder().time(time, time).build());
    Collapser<Integer, Integer> collapser =
        tenrec
            .collapser(
                "Blocking",
                (List<Integer> ids) ->
                    (Map<Integer, Integer>)
                        new AbstractMap<Integer, Integer>() {
                          @Override
                          public Set<Map.Entry<Integer, Integer>> entrySet() {
                            block();
                            return Set.of(Map.entry(1, 2));
                          }
                        })
            .globalScope()
            .maxRequestsInBatch(1)
            .timeout(Duration.ofMillis(200))
            .build();
    CompletableFuture<Integer> member = collapser.executeAsync(1);
    Uninterruptibly.await(blocked);

    await().until(() -> timerWaits(time));
    time.advanceMillis(200 + 50);
    await().until(() -> timerWaits(time));
    assertThat(member).isNotDone();

    release.countDown();
    assertThat(get(member)).isEqualTo(2);
  }

  /** They need no thread of that executor for it. */
  @Test
  void timeout_whileTheCallbackExecutorIsBusy_endsTheMembersOnTime() throws Exception {
    List<Runnable> kept = new CopyOnWriteArrayList<>();
    AtomicBoolean keeps = new AtomicBoolean();
    Tenrec tenrec = leaks.watch(keeping(kept, keeps));
    Collapser<Integer, Integer> collapser =
        held(tenrec).maxRequestsInBatch(2).timeout(Duration.ofMillis(200)).build();
    CompletableFuture<Integer> first = collapser.executeAsync(1);
    Future<Throwable> second = callers.submit(() -> collapser.attempt(2).error());
    Uninterruptibly.await(blocked);
    keeps.set(true);
    time.advanceMillis(200);

    assertThat(get(second)).isInstanceOf(CommandTimeoutException.class);
    await().until(first::isDone);
    assertThat(first).isCompletedExceptionally();

    keeps.set(false);
    CompletableFuture<@Nullable Throwable> delivered = first.handle((value, error) -> error);
    await()
        .until(
            () -> {
              kept.forEach(callers::execute); // the timer may be about to hand more over
              return delivered.isDone();
            });
    assertThat(get(delivered)).isInstanceOf(CommandTimeoutException.class);
    release.countDown();
  }

  /** Its work blocks. */
  private CollapserBuilder<Integer, Integer> held(Tenrec tenrec) {
    return tenrec
        .collapser(
            "Held",
            (List<Integer> ids) -> {
              block();
              return ids.stream().collect(Collectors.toMap(Function.identity(), id -> id * 2));
            })
        .globalScope();
  }

  /** Its callback executor keeps what it should run, while it keeps. */
  private Tenrec keeping(List<Runnable> kept, AtomicBoolean keeps) {
    return Tenrec.builder()
        .time(time, time)
        .callbackExecutor(
            task -> {
              if (keeps.get()) {
                kept.add(task);
              } else {
                callers.execute(task);
              }
            })
        .build();
  }

  private static boolean timerWaits(ManualTime time) {
    return time.waiting().stream().anyMatch(thread -> thread.getName().contains("timer"));
  }
}
