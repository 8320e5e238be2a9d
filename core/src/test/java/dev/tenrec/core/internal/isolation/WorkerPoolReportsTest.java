// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a pool has logged, and how it goes on after a thread that died. */
class WorkerPoolReportsTest {

  private static final OutOfMemoryError NO_THREAD = new OutOfMemoryError("of the test");

  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final List<Runnable> later = new CopyOnWriteArrayList<>();
  private final AtomicBoolean dying = new AtomicBoolean();
  private final AtomicBoolean poor = new AtomicBoolean();
  private final AtomicBoolean poorTimer = new AtomicBoolean();
  private final CountDownLatch release = new CountDownLatch(1);

  private final Ticker ticker =
      () -> {
        if (dying.getAndSet(false)) {
          throw new AssertionError("of the test");
        }
        return Ticker.system().nanoTime();
      };

  private final DaemonThreads threads =
      new DaemonThreads("Pricing", Ticker.system(), Waiter.system());

  private final WorkerPool pool =
      new WorkerPool(
          "Pricing",
          new PoolLimits(2, 2, 5, 0),
          work -> {
            if (poor.get()) {
              throw NO_THREAD;
            }
            Thread thread = threads.newThread(work);
            thread.setUncaughtExceptionHandler((died, thrown) -> {});
            return thread;
          },
          ticker,
          Waiter.system(),
          new ThreadStartRetry() {
            @Override
            public boolean later(Runnable attempt) {
              if (poorTimer.get()) {
                throw NO_THREAD;
              }
              later.add(attempt);
              return true;
            }

            @Override
            public void failed(String what, Throwable thrown) {
              reports.add(what);
              throw new IllegalStateException("a report that fails");
            }
          });

  /** Runs what it is made for. */
  private record Doing(Runnable body) implements Task {
    @Override
    public void run() {
      body.run();
    }

    @Override
    public boolean isAbandoned() {
      return false;
    }
  }

  private Task held() {
    return new Doing(
        () -> {
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @AfterEach
  void close() {
    release.countDown();
    assertThat(pool.shutdown()).isNotNull();
    assertThat(pool.awaitQuiet(Waiter.FOREVER)).isTrue();
  }

  @Test
  void task_thatThrows_isReported_andTheNextRuns() {
    assertThat(
            pool.submit(
                new Doing(
                    () -> {
                      throw new IllegalStateException("of the task");
                    })))
        .isTrue();
    CountDownLatch ran = new CountDownLatch(1);
    assertThat(pool.submit(new Doing(ran::countDown))).isTrue();
    await().until(() -> ran.getCount() == 0);
    await()
        .untilAsserted(
            () ->
                assertThat(reports)
                    .containsExactly("pool Pricing: a task threw, its thread goes on"));
  }

  @Test
  void thread_thatDies_isForgotten_andWhatWaitsGetsAnother() {
    dying.set(true);
    CountDownLatch ran = new CountDownLatch(1);
    assertThat(pool.submit(new Doing(ran::countDown))).isTrue();
    await().until(() -> ran.getCount() == 0);
    await().until(() -> pool.state().completed() == 1);
    assertThat(pool.state().threads()).isOne();
    assertThat(pool.state().active()).isZero();
  }

  @Test
  void thread_thatCannotStart_isReported_whereAnotherIsThere() {
    assertThat(pool.submit(held())).isTrue();
    await().until(() -> pool.state().active() == 1);
    poor.set(true);
    assertThat(pool.submit(held())).isTrue();
    assertThat(reports)
        .containsExactly(
            "pool Pricing: could not start a thread, tasks wait for the next one",
            "pool Pricing: could not start a thread, tasks wait for those there are");
    assertThat(later).hasSize(1);
    assertThat(pool.entries()).isOne();
    poor.set(false);
    later.get(0).run();
    await().until(() -> pool.state().active() == 2);
  }

  @Test
  void thread_thatCannotStart_norBeTriedAgain_isReported_andTheNextTaskTriesAgain() {
    poor.set(true);
    poorTimer.set(true);
    assertThatThrownBy(() -> pool.submit(held())).isSameAs(NO_THREAD);
    assertThat(reports)
        .containsExactly(
            "pool Pricing: could not have a start of threads tried again",
            "pool Pricing: could not start a thread, tasks wait for the next one");
    poorTimer.set(false);
    assertThatThrownBy(() -> pool.submit(held())).isSameAs(NO_THREAD);
    assertThat(later).as("a try that comes").hasSize(1);
    poor.set(false);
    later.get(0).run();
    await().until(() -> pool.state().active() == 2);
  }

  @Test
  void shutdown_always_emptiesTheQueue() {
    poor.set(true);
    Task waits = held();
    assertThatThrownBy(() -> pool.submit(waits)).isSameAs(NO_THREAD);
    assertThat(pool.entries()).isOne();
    assertThat(pool.shutdown()).containsExactly(waits);
    assertThat(pool.entries()).isZero();
    assertThat(pool.submit(held())).isFalse();
  }
}
