// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.request;

import static dev.tenrec.metrics.event.EventType.BAD_REQUEST;
import static dev.tenrec.metrics.event.EventType.CANCELLED;
import static dev.tenrec.metrics.event.EventType.EXCEPTION_THROWN;
import static dev.tenrec.metrics.event.EventType.FALLBACK_SUCCESS;
import static dev.tenrec.metrics.event.EventType.RESPONSE_FROM_CACHE;
import static dev.tenrec.metrics.event.EventType.SUCCESS;
import static dev.tenrec.metrics.event.EventType.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.CommandBuilder;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import io.reactivex.rxjava3.observers.TestObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The call that a run is begun for, when something comes between its look into the cache and the
 * run: it is given up, an equal call is faster, its key fails. Every call is counted once.
 */
class FirstOfRunTest {

  private static final Duration LIMIT = Duration.ofMillis(50);
  private static final String TIMEOUT_OF_GET =
      "tenrec.command.Get.execution.isolation.thread.timeoutInMilliseconds";

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private final CountDownLatch cancelled = new CountDownLatch(1);

  /** All are equal. One does something when it is hashed for the nth time. */
  private static final class Key {

    private final int nth;
    private final Runnable then;
    private final AtomicInteger hashed = new AtomicInteger();

    private Key(int nth, Runnable then) {
      this.nth = nth;
      this.then = then;
    }

    private static Key plain() {
      return new Key(0, () -> {});
    }

    @Override
    public boolean equals(@Nullable Object object) {
      return object instanceof Key;
    }

    @Override
    public int hashCode() {
      if (hashed.incrementAndGet() == nth) {
        then.run();
      }
      return 1;
    }
  }

  @AfterEach
  void close() {
    release.countDown();
    cancelled.countDown();
    Elsewhere.close(tenrec, time);
    // where time goes on while another thread closes, that does not wait for all of them
    await().until(() -> tenrec.liveThreads() == 0);
  }

  static List<Isolation> isolations() {
    return RequestContextTest.isolations().toList();
  }

  private CommandBuilder<Key, Integer> counting() {
    return tenrec.command("Get", (Key key) -> runs.incrementAndGet()).cacheKey(key -> key);
  }

  private CommandBuilder<Key, Integer> waiting() {
    return tenrec
        .command(
            "Get",
            (Key key) -> {
              int run = runs.incrementAndGet();
              release.await();
              return run;
            })
        .timeout(LIMIT)
        .cacheKey(key -> key);
  }

  private static void assertCounts(Command<?, ?> command, EventType... events) {
    for (EventType type : EventType.values()) {
      long expected = Stream.of(events).filter(event -> event == type).count();
      assertThat(command.view().cumulativeCount(type)).as("%s", type).isEqualTo(expected);
    }
  }

  /** It looks for a run, and brings its own: each hashes the key. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void dispose_beforeTheRunIsBrought_countsTheCallOnce(int nth) {
    Command<Key, Integer> command = counting().build();
    TestObserver<Integer> observer = new TestObserver<>();
    try (RequestContext request = tenrec.openRequest()) {
      command.toSingle(new Key(nth, observer::dispose)).subscribe(observer);

      assertThat(runs).hasValue(0);
      assertCounts(command, CANCELLED);
      assertThat(request.log().entries().stream().flatMap(entry -> entry.events().stream()))
          .contains(CANCELLED)
          .doesNotContain(SUCCESS);
      assertThat(command.execute(Key.plain())).isOne();
    }
    observer.assertNoValues().assertNoErrors();
    await().until(() -> command.view().concurrency() == 0);
    assertCounts(command, CANCELLED, SUCCESS);
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void key_failingBeforeTheRunIsBrought_countsTheCallOnce(Isolation isolation) {
    Command<Key, Integer> command = counting().isolation(isolation).build();
    try (RequestContext request = tenrec.openRequest()) {
      Key failing =
          new Key(
              2,
              () -> {
                throw new IllegalStateException("of the test");
              });

      Outcome<Integer> outcome = command.attempt(failing);

      assertThat(outcome.error()).isInstanceOf(IllegalStateException.class);
      assertThat(outcome.events()).containsExactly(BAD_REQUEST, EXCEPTION_THROWN);
      assertThat(request.log().entries()).hasSize(1);
      assertThat(command.execute(Key.plain())).isOne();
    }
    await().until(() -> command.view().concurrency() == 0);
    assertCounts(command, BAD_REQUEST, EXCEPTION_THROWN, SUCCESS);
  }

  /** On another thread, where the equal call waits in its work. */
  private CompletableFuture<Outcome<Integer>> onThread(Supplier<Outcome<Integer>> call) {
    return CompletableFuture.supplyAsync(call, task -> new Thread(task).start());
  }

  /** A key whose call is overtaken by one that is in its work by then. */
  private Key overtaken(
      RequestContext request,
      Command<Key, Integer> command,
      AtomicReference<CompletableFuture<Outcome<Integer>>> other) {
    return new Key(
        2,
        () -> {
          other.set(onThread(request.wrapSupplier(() -> command.attempt(Key.plain()))));
          await().until(() -> runs.get() == 1);
        });
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void overtaken_byARunThatEnds_hasItsAnswer(Isolation isolation) {
    Command<Key, Integer> command = waiting().isolation(isolation).build();
    AtomicReference<CompletableFuture<Outcome<Integer>>> other = new AtomicReference<>();
    try (RequestContext request = tenrec.openRequest()) {
      AtomicReference<Thread> caller = new AtomicReference<>();
      Key key = overtaken(request, command, other);
      CompletableFuture<Outcome<Integer>> call =
          onThread(
              request.wrapSupplier(
                  () -> {
                    caller.set(Thread.currentThread());
                    return command.attempt(key);
                  }));
      await().until(() -> time.waiting().contains(caller.get()));

      release.countDown();

      assertThat(call.join().value()).isOne();
      assertThat(call.join().events()).containsExactly(SUCCESS, RESPONSE_FROM_CACHE);
      assertThat(other.get().join().value()).isOne();
      assertThat(request.log().entries()).hasSize(2);
    }
    assertThat(runs).hasValue(1);
    assertCounts(command, SUCCESS, RESPONSE_FROM_CACHE);
  }

  /** Its time-out is its own, as that of any hit. */
  @ParameterizedTest
  @MethodSource("isolations")
  void overtaken_byARunThatTakesLong_timesOutAlone(Isolation isolation) {
    Command<Key, Integer> command =
        waiting().isolation(isolation).timeout(Duration.ofDays(1)).fallback((key, c) -> -1).build();
    AtomicReference<CompletableFuture<Outcome<Integer>>> other = new AtomicReference<>();
    tenrec.set(TIMEOUT_OF_GET, "" + LIMIT.toMillis());
    try (RequestContext request = tenrec.openRequest()) {
      AtomicReference<Thread> caller = new AtomicReference<>();
      Key overtaken = overtaken(request, command, other);
      Key key =
          new Key(
              2,
              () -> {
                tenrec.clear(TIMEOUT_OF_GET); // the other call has a day
                overtaken.then.run();
              });
      CompletableFuture<Outcome<Integer>> call =
          onThread(
              request.wrapSupplier(
                  () -> {
                    caller.set(Thread.currentThread());
                    return command.attempt(key);
                  }));
      await().until(() -> time.waiting().contains(caller.get()));

      time.advance(LIMIT);

      assertThat(call.join().value()).isEqualTo(-1);
      assertThat(call.join().events())
          .containsExactly(TIMEOUT, FALLBACK_SUCCESS, RESPONSE_FROM_CACHE);
      release.countDown();
      other.get().join();
    }
    assertThat(runs).hasValue(1);
  }

  @ParameterizedTest
  @MethodSource("isolations")
  void overtaken_andInterrupted_endsAlone(Isolation isolation) {
    Command<Key, Integer> command = waiting().isolation(isolation).build();
    AtomicReference<CompletableFuture<Outcome<Integer>>> other = new AtomicReference<>();
    try (RequestContext request = tenrec.openRequest()) {
      AtomicReference<Thread> caller = new AtomicReference<>();
      Key key = overtaken(request, command, other);
      CompletableFuture<Outcome<Integer>> call =
          onThread(
              request.wrapSupplier(
                  () -> {
                    caller.set(Thread.currentThread());
                    return command.attempt(key);
                  }));
      await().until(() -> time.waiting().contains(caller.get()));

      caller.get().interrupt();

      assertThat(call.join().error()).isInstanceOf(CommandInterruptedException.class);
      assertThat(other.get()).isNotDone();
      release.countDown();
      assertThat(other.get().join().value()).isOne();
    }
    assertThat(runs).hasValue(1);
    assertCounts(command, CANCELLED, SUCCESS);
  }

  /** The overtaken call is the last to leave the run that was faster. */
  @Test
  void overtaken_andCancelledLast_cancelsTheRun() {
    Command<Key, Integer> command =
        tenrec
            .command(
                "Get",
                (Key key, dev.tenrec.core.work.Call call) -> {
                  runs.incrementAndGet();
                  call.onCancel(cancelled::countDown);
                  Uninterruptibly.await(cancelled);
                  return 1;
                })
            .cacheKey(key -> key)
            .build();
    AtomicReference<CompletableFuture<Integer>> other = new AtomicReference<>();
    try (RequestContext request = tenrec.openRequest()) {
      Key key =
          new Key(
              2,
              () -> {
                other.set(command.executeAsync(Key.plain()));
                await().until(() -> runs.get() == 1);
              });
      CompletableFuture<Integer> call = command.executeAsync(key);
      assertThat(other.get().cancel(true)).isTrue();
      assertThat(cancelled.getCount()).isOne();

      assertThat(call.cancel(true)).isTrue();

      await().until(() -> cancelled.getCount() == 0);
      await().until(() -> command.view().concurrency() == 0);
    }
    assertThat(runs).hasValue(1);
    assertCounts(command, CANCELLED, CANCELLED);
  }

  /** Given up by another thread wherever it is, while an equal call comes. */
  @Test
  @Tag("race")
  void race_firstIsDisposedWhileAnotherComes_countsNoMoreThanTwo() throws Exception {
    Command<Integer, Integer> command =
        tenrec
            .command("Race", (Integer n) -> runs.incrementAndGet())
            .isolation(Isolation.semaphore(5))
            .cacheKey(n -> n)
            .build();
    int rounds = 20_000;
    AtomicReference<TestObserver<Integer>> observer = new AtomicReference<>(new TestObserver<>());
    CyclicBarrier barrier = new CyclicBarrier(3);
    try (RequestContext request = tenrec.openRequest()) {
      Thread disposer =
          new Thread(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  Uninterruptibly.await(barrier);
                  TestObserver<Integer> subscribed = observer.get();
                  while (!subscribed.hasSubscription()) {
                    Thread.onSpinWait();
                  }
                  spin(round % 97);
                  subscribed.dispose();
                  Uninterruptibly.await(barrier);
                }
              });
      Thread other =
          new Thread(
              request.wrap(
                  () -> {
                    for (int round = 0; round < rounds; round++) {
                      Uninterruptibly.await(barrier);
                      spin(round % 89);
                      assertThat(command.execute(round)).isPositive();
                      Uninterruptibly.await(barrier);
                    }
                  }));
      disposer.start();
      other.start();
      long before = 0;
      for (int round = 0; round < rounds; round++) {
        observer.set(new TestObserver<>());
        Uninterruptibly.await(barrier);
        command.toSingle(round).subscribe(observer.get());
        Uninterruptibly.await(barrier);
        long after = answers(command);
        assertThat(after - before).as("round %s", round).isBetween(1L, 2L);
        before = after;
      }
      disposer.join();
      other.join();
    }
  }

  private static void spin(int times) {
    for (int i = 0; i < times; i++) {
      Thread.onSpinWait();
    }
  }

  private static long answers(Command<?, ?> command) {
    return command.view().cumulativeCount(SUCCESS)
        + command.view().cumulativeCount(CANCELLED)
        + command.view().cumulativeCount(RESPONSE_FROM_CACHE);
  }
}
