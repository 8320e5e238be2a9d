// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

@Tag("race")
class WorkerPoolRaceTest {

  private static final int CALLERS = 4;
  private static final int CALLS = 4_000;

  private final DaemonThreads threads = new DaemonThreads("Race", Ticker.system(), Waiter.system());
  private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS + 1);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger mostRunning = new AtomicInteger();

  @RepeatedTest(3)
  void churn_withResizesAndAbandonments_endsEachTaskOnceAndLeavesNothing() throws Exception {
    WorkerPool pool = pool(new PoolLimits(1, 3, 2, 1_000));
    PoolLimits[] limits = {
      new PoolLimits(2, 4, 0, 0),
      new PoolLimits(0, 1, 8, 50_000),
      new PoolLimits(4, 4, 1, 1_000),
      new PoolLimits(1, 3, 2, 0)
    };
    List<Future<List<OneShot>>> results = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      results.add(callers.submit(() -> call(pool, true)));
    }
    AtomicInteger left = new AtomicInteger(1);
    Future<?> resizer =
        callers.submit(
            () -> {
              for (int i = 0; left.get() != 0; i++) {
                pool.resize(limits[i % limits.length]);
                Thread.yield();
              }
            });

    List<OneShot> all = new ArrayList<>();
    for (Future<List<OneShot>> result : results) {
      all.addAll(result.get());
    }
    left.set(0);
    resizer.get();
    // each is awaited: a task that waits for nobody would hang here, with the pool otherwise quiet
    for (OneShot task : all) {
      task.awaitEnd();
    }
    assertThat(all).allMatch(task -> task.ends.get() == 1);
    assertThat(mostRunning.get()).isBetween(1, 4);
    assertQuiet(pool, all);
  }

  @RepeatedTest(3)
  void nCallers_onAPoolOfN_areNeverRefused() throws Exception {
    WorkerPool pool = pool(new PoolLimits(CALLERS, CALLERS, 0, 0));
    List<Future<List<OneShot>>> results = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      results.add(callers.submit(() -> call(pool, false)));
    }
    List<OneShot> all = new ArrayList<>();
    for (Future<List<OneShot>> result : results) {
      all.addAll(result.get());
    }
    assertThat(all).hasSize(CALLERS * CALLS);
    assertQuiet(pool, all);
  }

  private void assertQuiet(WorkerPool pool, List<OneShot> all) {
    callers.shutdown();
    assertThat(pool.shutdown()).isEmpty();
    assertThat(pool.awaitQuiet(Waiter.FOREVER)).isTrue();
    assertThat(threads.awaitNone(Waiter.FOREVER)).isTrue();
    assertThat(pool.permits().inUse()).isZero();
    assertThat(pool.state().completed())
        .isEqualTo(all.stream().filter(task -> !task.isAbandoned()).count());
    assertThat(pool.state().queued()).isZero();
  }

  /** Calls one after the other; each second one may be abandoned, the others are waited for. */
  private List<OneShot> call(WorkerPool pool, boolean abandon) {
    List<OneShot> made = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      OneShot task = new OneShot(pool);
      if (!pool.permits().tryTake()) {
        assertThat(abandon).as("a call was refused").isTrue();
        Thread.yield();
        continue;
      }
      assertThat(pool.submit(task)).isTrue();
      made.add(task);
      if (abandon && i % 2 == 0) {
        task.abandon();
      } else {
        task.awaitEnd();
      }
    }
    return made;
  }

  private WorkerPool pool(PoolLimits limits) {
    return new WorkerPool(
        "Race", limits, threads, Ticker.system(), Waiter.system(), new LaterAid());
  }

  private final class OneShot implements Task {
    private final WorkerPool pool;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger phase = new AtomicInteger();
    final AtomicInteger ends = new AtomicInteger();

    OneShot(WorkerPool pool) {
      this.pool = pool;
    }

    @Override
    public void run() {
      if (phase.compareAndSet(0, 1)) {
        mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
        running.decrementAndGet();
        pool.permits().give();
        ended();
      }
    }

    @Override
    public boolean isAbandoned() {
      return phase.get() == 2;
    }

    void abandon() {
      if (phase.compareAndSet(0, 2)) {
        pool.permits().give();
        pool.abandoned();
        ended();
      }
    }

    private void ended() {
      ends.incrementAndGet();
      Waiter.system().wake(caller);
    }

    void awaitEnd() {
      while (ends.get() == 0) {
        Waiter.system().awaitUntil(Ticker.system().nanoTime() + 1_000_000);
      }
    }
  }
}
