// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.Command;
import dev.tenrec.core.InsideTenrec;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.RequestContext;
import dev.tenrec.core.StillRunning;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.cache.Sharer;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.SharedEnding;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How the run that calls share ends them: in each way that it hears of its end, and when there is
 * no memory to notify them.
 */
class CacheEntryTest {

  private enum Where {
    CALLER(Isolation.semaphore(5)),
    POOL(Isolation.threadPool());

    private final Isolation isolation;

    Where(Isolation isolation) {
      this.isolation = isolation;
    }
  }

  /** How a run comes to know that it has ended. */
  private enum Told {
    PUBLISHED {
      @Override
      void tell(CacheEntry<String, String> entry) {
        entry.publish("x", null);
      }
    },
    DELIVERED_A_VALUE {
      @Override
      void tell(CacheEntry<String, String> entry) {
        entry.onValue("x");
      }
    },
    DELIVERED_AN_ERROR {
      @Override
      void tell(CacheEntry<String, String> entry) {
        entry.onError(new IllegalStateException("x"));
      }
    },
    LOOKED_AFTER {
      @Override
      void tell(CacheEntry<String, String> entry) {
        entry.endAnswered();
      }
    };

    abstract void tell(CacheEntry<String, String> entry);
  }

  private final ManualTime time = new ManualTime();
  private final Tenrec tenrec = Tenrec.builder().time(time, time).build();
  private final CountDownLatch release = new CountDownLatch(1);
  private final BlockingQueue<String> endings = new LinkedBlockingQueue<>();
  private final AtomicInteger tried = new AtomicInteger();

  @AfterEach
  void close() {
    release.countDown();
    assertThat(closed()).isEmpty();
  }

  /** On a thread of its own, because it may wait by the manual clock. */
  private List<StillRunning> closed() {
    CompletableFuture<List<StillRunning>> left = new CompletableFuture<>();
    Thread closer = new Thread(() -> left.complete(tenrec.close(Duration.ofMinutes(5))));
    closer.setDaemon(true);
    closer.start();
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              boolean done = left.isDone();
              if (!done && time.waiting().contains(closer)) {
                time.advanceMillis(1);
              }
              return done;
            });
    return left.join();
  }

  /** It stands for a call: what ends such a one takes memory, and none can be had so many times. */
  private Sharer<Outcome<String>> failing(int times) {
    return outcome -> {
      if (tried.incrementAndGet() <= times) {
        throw new OutOfMemoryError("of the test");
      }
      endings.add("" + outcome.value());
    };
  }

  @SuppressWarnings("unchecked")
  private CacheEntry<String, String> entry(Command<String, String> command, String key) {
    Registry registry = InsideTenrec.registry(tenrec);
    return (CacheEntry<String, String>)
        Objects.requireNonNull(
            cache().find(Objects.requireNonNull(registry.find(command.key())).runtime(), key));
  }

  /** Of the request of this thread. */
  private RequestCache cache() {
    Registry registry = InsideTenrec.registry(tenrec);
    return Objects.requireNonNull(registry.engine().requests().openParts()).cache();
  }

  private Command<String, String> command(Where where, Runnable inWork) {
    return tenrec
        .command(
            "Get",
            (String s) -> {
              inWork.run();
              release.await();
              return s + "!";
            })
        .isolation(where.isolation)
        .timeout(Duration.ofDays(1))
        .cacheKey(s -> s)
        .build();
  }

  /** A run whose work does not run, and that a test ends in the place of the threads that would. */
  private CacheEntry<String, String> handMade(Command<String, String> command) {
    CompletableFuture<String> unused = command.executeAsync("pattern");
    CacheEntry<String, String> pattern = entry(command, "pattern");
    Execution<String, String> held = Objects.requireNonNull(pattern.execution());
    CacheEntry<String, String> made = new CacheEntry<>(cache(), held.pipeline.runtime, "made");
    made.follow(new Execution<>(held.pipeline, held.plan, "made", made, false, time.nanoTime()));
    return made;
  }

  /** It is answered, and no thread has told the run so. */
  private static void fail(CacheEntry<String, String> entry) {
    Execution<String, String> run = Objects.requireNonNull(entry.execution());
    assertThat(
            run.pipeline.abandonment.giveUp(
                run, EventType.FAILURE, new IllegalStateException("down"), false))
        .isTrue();
  }

  /** Whichever thread notifies it: the one before may have found no memory. */
  @ParameterizedTest
  @EnumSource(Told.class)
  void run_toldOfItsEnd_endsThoseThatShareOnThatThread(Told how) {
    try (RequestContext request = tenrec.openRequest()) {
      CacheEntry<String, String> entry = handMade(command(Where.POOL, () -> {}));
      List<Throwable> errors = new CopyOnWriteArrayList<>();
      assertThat(entry.join(outcome -> errors.add(outcome.error()))).isTrue();
      fail(entry);
      assertThat(errors).isEmpty();

      how.tell(entry);

      assertThat(errors).hasSize(1).allMatch(error -> error.getMessage().equals("down"));
      assertThat(entry.kept()).isNotNull();
    }
  }

  @Test
  void lookAfter_aRunThatGoesOn_endsNobody() {
    try (RequestContext request = tenrec.openRequest()) {
      CacheEntry<String, String> entry = handMade(command(Where.POOL, () -> {}));
      assertThat(entry.join(failing(0))).isTrue();

      entry.endAnswered();

      assertThat(endings).isEmpty();
      assertThat(entry.result()).isNull();
    }
  }

  /** Else the timer would come for nothing. */
  @Test
  void end_saysWhetherSomeAreLeft() {
    try (RequestContext request = tenrec.openRequest()) {
      CacheEntry<String, String> entry = handMade(command(Where.POOL, () -> {}));
      assertThat(entry.join(failing(1))).isTrue();
      fail(entry);

      assertThat(entry.endsAll()).isFalse();
      assertThat(entry.endsAll()).isTrue();
      assertThat(entry.endsAll()).as("where none was left before").isTrue();

      assertThat(endings).hasSize(1);
    }
  }

  /** When it is published and when it is delivered: so the thread that began it looks once more. */
  @Test
  void end_withoutMemoryTwiceOnItsCallersThread_isTriedThereOnceMore() throws Exception {
    release.countDown();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    Command<String, String>[] self = newArray();
    self[0] =
        command(
            Where.CALLER,
            () -> assertThat(entry(self[0], "a").join(failing(2))).as("it joins").isTrue());
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(InsideTenrec.registry(tenrec).engine().timer().arm(holding(held, letGo))).isTrue();
      assertThat(held.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();

      assertThat(self[0].execute("a")).isEqualTo("a!");

      assertThat(endings).as("while the timer is at other things").containsExactly("a!");
    } finally {
      letGo.countDown();
    }
  }

  /** Keeps the timer's thread. */
  private Timeout holding(CountDownLatch held, CountDownLatch letGo) {
    return new Timeout(time.nanoTime()) {
      @Override
      protected boolean isEnded() {
        return held.getCount() == 0;
      }

      @Override
      protected void expired() {
        held.countDown();
        Uninterruptibly.await(letGo);
      }
    };
  }

  @ParameterizedTest
  @EnumSource(Where.class)
  void run_thatEndsWithoutTrouble_logsNone(Where where) throws Exception {
    SwitchedLogging.requireInstalled();
    release.countDown();
    Command<String, String> command = command(where, () -> {});
    List<String> lines = new CopyOnWriteArrayList<>();
    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      try (RequestContext request = tenrec.openRequest()) {
        assertThat(command.execute("a")).isEqualTo("a!");
        assertThat(command.execute("a")).isEqualTo("a!");
      }
      assertThat(closed()).isEmpty(); // after which all is logged
    }

    assertThat(lines).noneMatch(logger -> logger.endsWith("FailureLog"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 20})
  void end_withoutMemoryOnTheWorkersThread_isTriedAgainByTheTimer(int times) throws Exception {
    Command<String, String> command = command(Where.POOL, () -> {});
    try (RequestContext request = tenrec.openRequest()) {
      CompletableFuture<String> first = command.executeAsync("a");
      CacheEntry<String, String> entry = entry(command, "a");
      assertThat(entry.join(failing(times))).isTrue();

      release.countDown();

      assertThat(first.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isEqualTo("a!");
      assertThat(next(times)).isEqualTo("a!");
      await().until(() -> isForgotten(entry)); // what the request would keep
      assertThat(command.execute("a")).isEqualTo("a!");
    }
  }

  /** It is, once the thread that notifies has gone through all, or the timer has. */
  private boolean isForgotten(CacheEntry<?, ?> entry) {
    time.advanceMillis(10);
    return entry.execution() == null;
  }

  /** The timer tries in steps of its clock. */
  private String next(int times) throws InterruptedException {
    long giveUp = System.nanoTime() + PatientWaits.patience().toNanos();
    String next = endings.poll(0, TimeUnit.SECONDS);
    while (next == null && tried.get() <= times && System.nanoTime() - giveUp < 0) {
      time.advanceMillis(10);
      next = endings.poll(1, TimeUnit.MILLISECONDS);
    }
    return next != null ? next : endings.poll(PatientWaits.seconds(), TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource(Where.class)
  void close_beforeTheTimerHadItsTurn_endsThoseThatShare(Where where) throws Exception {
    release.countDown();
    CacheEntry<?, ?>[] entry = new CacheEntry<?, ?>[1];
    CountDownLatch joined = new CountDownLatch(1);
    Command<String, String>[] self = newArray();
    Command<String, String> command =
        command(
            where,
            () -> {
              CacheEntry<String, String> begun = entry(self[0], "a");
              assertThat(begun.join(failing(6))).isTrue();
              entry[0] = begun;
              joined.countDown();
            });
    self[0] = command;
    try (RequestContext request = tenrec.openRequest()) {
      assertThat(command.executeAsync("a").get(PatientWaits.seconds(), TimeUnit.SECONDS))
          .isEqualTo("a!");
      assertThat(joined.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    assertThat(closed()).isEmpty();

    assertThat(endings).containsExactly("a!");
    assertThat(entry[0].execution()).isNull();
  }

  /** There is no timer any more that could try it again, and no closing thread that would. */
  @ParameterizedTest
  @ValueSource(ints = {1, 9, 10, 11, 40})
  void end_afterClose_goesOnUntilThereIsMemory(int times) {
    Command<String, String> command = command(Where.CALLER, () -> {});
    SharedEnding ending =
        new SharedEnding(
            Objects.requireNonNull(InsideTenrec.registry(tenrec).find(command.key())).runtime(),
            () -> {
              if (tried.incrementAndGet() <= times) {
                throw new OutOfMemoryError("of the test");
              }
              return true;
            });
    assertThat(closed()).isEmpty();
    Thread ends = new Thread(ending::end);
    ends.setDaemon(true);

    ends.start();

    await()
        .until(
            () -> {
              time.advanceMillis(10);
              return !ends.isAlive();
            });
    assertThat(tried).hasValue(times + 1);
  }

  /** No wait would wait with it, and the code of that thread wants to find it. */
  @Test
  void end_afterClose_keepsAnInterrupt() throws Exception {
    Command<String, String> command = command(Where.CALLER, () -> {});
    SharedEnding ending =
        new SharedEnding(
            Objects.requireNonNull(InsideTenrec.registry(tenrec).find(command.key())).runtime(),
            () -> tried.incrementAndGet() > 20);
    assertThat(closed()).isEmpty();
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    Thread ends =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              ending.end();
              kept.complete(Thread.currentThread().isInterrupted());
            });
    ends.setDaemon(true);

    ends.start();

    await()
        .until(
            () -> {
              time.advanceMillis(10);
              return kept.isDone();
            });
    assertThat(kept.get(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(tried).hasValue(21);
  }

  /** As where another thread has taken a sharer and is notifying it still. */
  @Test
  void end_thatLeavesSomeWithoutAFailure_isTriedAgainAndNotLogged() throws Exception {
    SwitchedLogging.requireInstalled();
    Command<String, String> command = command(Where.CALLER, () -> {});
    SharedEnding ending =
        new SharedEnding(
            Objects.requireNonNull(InsideTenrec.registry(tenrec).find(command.key())).runtime(),
            () -> tried.incrementAndGet() > 5);
    List<String> lines = new CopyOnWriteArrayList<>();

    try (AutoCloseable switched = SwitchedLogging.on(lines::add)) {
      ending.end();
      await()
          .until(
              () -> {
                time.advanceMillis(10);
                return tried.get() > 5;
              });
    }

    assertThat(lines).noneMatch(logger -> logger.endsWith("FailureLog"));
  }

  @SuppressWarnings("unchecked")
  private static Command<String, String>[] newArray() {
    return new Command[1];
  }
}
