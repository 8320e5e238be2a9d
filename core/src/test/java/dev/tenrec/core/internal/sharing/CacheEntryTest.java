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
import dev.tenrec.core.internal.cache.Sharer;
import dev.tenrec.core.internal.call.SharedEnding;
import dev.tenrec.core.internal.engine.Registry;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.PatientWaits;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The run that calls share, when there is no memory to notify them at its end. */
@Timeout(900)
class CacheEntryTest {

  private enum Where {
    CALLER(Isolation.semaphore(5)),
    POOL(Isolation.threadPool());

    private final Isolation isolation;

    Where(Isolation isolation) {
      this.isolation = isolation;
    }
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
    Thread closer = new Thread(() -> left.complete(tenrec.close(Duration.ofSeconds(1))));
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
            Objects.requireNonNull(registry.engine().requests().openParts())
                .cache()
                .find(Objects.requireNonNull(registry.find(command.key())).runtime(), key));
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
    String next = endings.poll(0, TimeUnit.SECONDS);
    while (next == null && tried.get() <= times) {
      time.advanceMillis(10);
      next = endings.poll(1, TimeUnit.MILLISECONDS);
    }
    return next != null ? next : endings.poll(60, TimeUnit.SECONDS);
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
