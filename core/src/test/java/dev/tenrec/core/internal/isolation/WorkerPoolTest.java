// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {

  private static final Duration KEEP_ALIVE = Duration.ofMinutes(1);

  private final ManualTime time = new ManualTime();
  private final DaemonThreads threads =
      new DaemonThreads("Pricing", Ticker.system(), Waiter.system());
  private final List<HeldTask> tasks = new ArrayList<>();
  private final LaterAid aid = new LaterAid();
  private WorkerPool pool = pool(2, 2, 0);

  @AfterEach
  void noThreadIsLeft() {
    pool.shutdown();
    tasks.forEach(HeldTask::letGo);
    assertThat(pool.awaitQuiet(Waiter.FOREVER)).isTrue();
    assertThat(threads.awaitNone(Waiter.FOREVER)).isTrue();
    assertThat(pool.state().threads()).isZero();
    assertThat(pool.stuck()).isEmpty();
  }

  @Test
  void submit_belowCore_startsANamedThreadForEach() throws Exception {
    HeldTask first = begin();
    HeldTask second = begin();

    assertThat(List.of(first.thread, second.thread))
        .containsExactly("tenrec-Pricing-1", "tenrec-Pricing-2");
    assertThat(pool.state()).isEqualTo(new PoolState(limits(2, 2, 0), 2, 2, 0, 2, 0));
    assertThat(pool.permits().tryTake()).isFalse();
  }

  @Test
  void submit_withAnIdleThread_usesThatThoughBelowCore() throws Exception {
    pool = pool(5, 5, 0);
    HeldTask first = begin();
    end(first);
    awaitParked(1);
    HeldTask second = begin();

    assertThat(second.thread).isEqualTo(first.thread);
    assertThat(pool.state().largest()).isEqualTo(1);
    assertThat(pool.state().completed()).isEqualTo(1);
  }

  @Test
  void submit_withIdleThreads_letsThemTakeTurns() throws Exception {
    HeldTask first = begin();
    HeldTask second = begin();
    end(first);
    awaitParked(1);
    end(second);
    awaitParked(2);

    HeldTask third = begin();
    end(third);
    awaitParked(2);
    HeldTask fourth = begin();

    assertThat(List.of(third.thread, fourth.thread)).containsExactly(first.thread, second.thread);
  }

  @Test
  void submit_withIdleThreadsWhileOneWorks_usesTheLastOneIdle() throws Exception {
    pool = pool(3, 3, 0);
    HeldTask first = begin();
    HeldTask second = begin();
    begin();
    end(first);
    awaitParked(1);
    end(second);
    awaitParked(2);

    HeldTask fourth = begin();

    assertThat(fourth.thread).isEqualTo(second.thread);
  }

  @Test
  void submit_withIdleThreadsAboveCore_usesTheLastOneIdle() throws Exception {
    pool = pool(1, 2, 0);
    HeldTask first = begin();
    HeldTask second = begin();
    end(first);
    awaitParked(1);
    end(second);
    awaitParked(2);

    HeldTask third = begin();

    assertThat(third.thread).isEqualTo(second.thread);
  }

  @Test
  void submit_withQueueAndMaximum_fillsCoreThenQueueThenThreadsThenRefuses() throws Exception {
    pool = pool(1, 3, 2);
    HeldTask core = begin();
    HeldTask waitsFirst = submit();
    HeldTask waitsSecond = submit();
    assertThat(pool.state().threads()).isEqualTo(1);
    assertThat(pool.state().queued()).isEqualTo(2);

    HeldTask third = submit();
    waitsFirst.awaitBegun();
    assertThat(pool.state().threads()).isEqualTo(2);
    HeldTask fourth = submit();
    waitsSecond.awaitBegun();

    assertThat(pool.state()).isEqualTo(new PoolState(limits(1, 3, 2), 3, 3, 2, 3, 0));
    assertThat(pool.permits().tryTake()).isFalse();
    assertThat(third.hasBegun() || fourth.hasBegun()).isFalse();
    assertThat(pool.takeMostActive()).isEqualTo(3);

    end(core);
    third.awaitBegun();
    assertThat(pool.permits().tryTake()).isTrue();
    pool.permits().give();
  }

  @Test
  void submit_withCoreZeroAndAQueue_startsAThreadAllTheSame() throws Exception {
    pool = pool(0, 1, 5);
    begin();
    assertThat(pool.state().threads()).isEqualTo(1);
  }

  @Test
  void permits_withAnyQueue_neverRefuseTheLastThreadsCall() throws Exception {
    for (int queue : new int[] {0, 1, 5, 100}) {
      WorkerPool other = pool(3, 3, queue);
      for (int round = 0; round < 50; round++) {
        List<HeldTask> three = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          HeldTask task = new HeldTask(other);
          tasks.add(task);
          assertThat(other.permits().tryTake())
              .as("call %d, queue %d, round %d", i, queue, round)
              .isTrue();
          assertThat(other.submit(task)).isTrue();
          three.add(task);
        }
        for (HeldTask task : three) {
          task.awaitBegun();
        }
        for (HeldTask task : three) {
          task.letGo().awaitStopped();
        }
      }
      assertThat(other.state().largest()).isEqualTo(3);
      assertThat(other.shutdown()).isEmpty();
    }
  }

  @Test
  void keepAlive_endsThreadsAboveCoreOnly_andRefusesNobody() throws Exception {
    pool = pool(1, 3, 0);
    List<HeldTask> three = List.of(begin(), begin(), begin());
    for (HeldTask task : three) {
      end(task);
    }
    awaitParked(3);

    time.advance(KEEP_ALIVE.minusNanos(1));
    assertThat(pool.state().threads()).isEqualTo(3);
    time.advance(Duration.ofNanos(1));
    await().until(() -> pool.state().threads() == 1);
    awaitParked(1);
    time.advance(KEEP_ALIVE.multipliedBy(10));

    begin();
    begin();
    begin();
    assertThat(pool.state().threads()).isEqualTo(3);
  }

  @Test
  void keepAlive_underLightLoad_stillEndsTheThreadsThatHaveNothingToDo() throws Exception {
    pool = pool(1, 3, 0);
    for (HeldTask task : List.of(begin(), begin(), begin())) {
      end(task);
    }
    awaitParked(3);
    for (int quarter = 0; quarter < 3; quarter++) {
      time.advance(KEEP_ALIVE.dividedBy(4));
      end(begin());
      await()
          .until(
              () -> pool.state().active() == 0 && time.waiting().size() == pool.state().threads());
    }
    time.advance(KEEP_ALIVE.dividedBy(4));
    await().until(() -> pool.state().threads() == 1);
  }

  @Test
  void resize_coreAboveMaximum_raisesTheMaximumWithIt() throws Exception {
    pool.resize(limits(5, 2, 0));
    for (int i = 0; i < 5; i++) {
      begin();
    }
    assertThat(pool.state().limits().maximum()).isEqualTo(5);
    assertThat(pool.permits().tryTake()).isFalse();
  }

  @Test
  void resize_upward_startsWaitingTasks() throws Exception {
    pool = pool(1, 1, 5);
    begin();
    HeldTask second = submit();
    HeldTask third = submit();
    assertThat(second.hasBegun()).isFalse();

    pool.resize(limits(3, 3, 5));

    second.awaitBegun();
    third.awaitBegun();
    assertThat(pool.state().threads()).isEqualTo(3);
  }

  @Test
  void resize_queueDownward_startsThreadsForWhatWaitsAboveIt() throws Exception {
    pool = pool(1, 2, 5);
    begin();
    HeldTask second = submit();
    pool.resize(limits(1, 2, 0));
    second.awaitBegun();
    assertThat(pool.state().active()).isEqualTo(2);
  }

  @Test
  void resize_downwardWhileIdle_endsTheSurplusAtOnce() throws Exception {
    pool = pool(4, 4, 0);
    for (HeldTask task : List.of(begin(), begin(), begin(), begin())) {
      end(task);
    }
    awaitParked(4);

    pool.resize(limits(1, 1, 0));

    await().until(() -> pool.state().threads() == 1);
    assertThat(pool.permits().limit()).isEqualTo(1);
    begin();
    assertThat(pool.permits().tryTake()).isFalse();
  }

  @Test
  void resize_downwardWhileBusy_endsThreadsAfterTheirTask() throws Exception {
    pool = pool(3, 3, 2);
    List<HeldTask> three = List.of(begin(), begin(), begin());
    HeldTask waits = submit();

    pool.resize(limits(1, 1, 2));
    assertThat(pool.state().active()).isEqualTo(3);
    end(three.get(0));
    end(three.get(1));
    await().until(() -> pool.state().threads() == 1);
    assertThat(waits.hasBegun()).isFalse();

    end(three.get(2));
    waits.awaitBegun();
    assertThat(pool.state().threads()).isEqualTo(1);
  }

  @Test
  void abandoned_whileQueued_neverRunsAndDoesNotCount() throws Exception {
    pool = pool(1, 1, 3);
    HeldTask busy = begin();
    HeldTask dead = submit();
    HeldTask live = submit();

    assertThat(dead.abandon()).isTrue();

    assertThat(pool.state().queued()).isEqualTo(1);
    end(busy);
    live.awaitBegun();
    assertThat(dead.hasBegun()).isFalse();
    end(live);
    await().until(() -> pool.state().active() == 0);
    assertThat(pool.state().completed()).isEqualTo(2);
    assertThat(pool.state().queued()).isZero();
    assertThat(pool.permits().inUse()).isZero();
  }

  @Test
  void abandoned_whileAllThreadsAreStuck_keepsTheQueueShort() throws Exception {
    pool = pool(1, 1, 10);
    begin();
    HeldTask live = submit();
    for (int i = 0; i < 100_000; i++) {
      HeldTask task = new HeldTask(pool);
      assertThat(pool.permits().tryTake()).isTrue();
      assertThat(pool.submit(task)).isTrue();
      assertThat(task.abandon()).isTrue();
    }
    assertThat(pool.entries()).isLessThan(200);
    assertThat(pool.state().queued()).isEqualTo(1);
    tasks.get(0).letGo();
    live.awaitBegun();
  }

  @Test
  void run_thatThrows_keepsTheWorkerAndCounts() throws Exception {
    pool = pool(1, 1, 0);
    AtomicBoolean ran = new AtomicBoolean();
    assertThat(
            pool.submit(
                new Task() {
                  @Override
                  public void run() {
                    ran.set(true);
                    throw new IllegalStateException("broken contract, expected in this test");
                  }

                  @Override
                  public boolean isAbandoned() {
                    return false;
                  }
                }))
        .isTrue();
    HeldTask next = begin();
    assertThat(ran).isTrue();
    assertThat(next.thread).isEqualTo("tenrec-Pricing-1");
    assertThat(pool.state().completed()).isEqualTo(1);
  }

  @Test
  void interruptFlag_leftByOneTask_doesNotReachTheNext() throws Exception {
    pool = pool(1, 1, 5);
    CountDownLatch nextWaits = new CountDownLatch(1);
    assertThat(
            pool.submit(
                new Task() {
                  @Override
                  public void run() {
                    Uninterruptibly.await(nextWaits); // or the thread may sleep in between
                    Thread.currentThread().interrupt();
                  }

                  @Override
                  public boolean isAbandoned() {
                    return false;
                  }
                }))
        .isTrue();
    HeldTask next = submit();
    nextWaits.countDown();
    next.awaitBegun();
    assertThat(next.interrupted).isFalse();
  }

  @Test
  void interruptFlag_whileIdle_isDropped() throws Exception {
    pool = pool(1, 1, 0);
    HeldTask first = begin();
    Thread worker = pool.stuck().get(0).thread();
    end(first);
    awaitParked(1);
    worker.interrupt();
    await().until(() -> !worker.isInterrupted());
    assertThat(begin().interrupted).isFalse();
  }

  @Test
  void shutdown_returnsWhatWaits_andTakesNoMore() throws Exception {
    pool = pool(1, 1, 3);
    HeldTask busy = begin();
    HeldTask waits = submit();
    HeldTask dead = submit();
    assertThat(dead.abandon()).isTrue();

    assertThat(pool.shutdown()).containsExactly(waits);

    assertThat(pool.submit(new HeldTask(pool))).isFalse();
    assertThat(waits.abandon()).isTrue();
    assertThat(pool.state().queued()).isZero();
    assertThat(pool.shutdown()).isEmpty();
    end(busy);
    assertThat(pool.awaitQuiet(Waiter.FOREVER)).isTrue();
    assertThat(waits.hasBegun()).isFalse();
  }

  @Test
  void awaitQuiet_withAStuckTask_endsAtTheDeadlineAndNamesIt() throws Exception {
    HeldTask stuck = begin();
    long since = time.nanoTime();
    end(begin());
    await().until(() -> pool.state().active() == 1);
    assertThat(pool.shutdown()).isEmpty();
    assertThat(pool.awaitQuiet(time.nanoTime())).isFalse();

    time.advanceMillis(700);
    assertThat(pool.stuck())
        .singleElement()
        .satisfies(
            busy -> {
              assertThat(busy.task()).isSameAs(stuck);
              assertThat(busy.thread().getName()).isEqualTo("tenrec-Pricing-1");
              assertThat(busy.sinceNanos()).isEqualTo(since);
            });

    pool.interruptAll();
    assertThat(pool.awaitQuiet(Waiter.FOREVER)).isTrue();
    assertThat(stuck.interrupted).isTrue();
  }

  @Test
  void submit_whenNoThreadCanBeStarted_saysSoAndTheNextOneServesBoth() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    ThreadFactory factory =
        work -> {
          if (fails.get()) {
            throw new IllegalStateException("no thread");
          }
          return threads.newThread(work);
        };
    pool = new WorkerPool("Pricing", limits(2, 2, 1), factory, time, time, aid);
    HeldTask first = new HeldTask(pool);
    tasks.add(first);
    assertThat(pool.permits().tryTake()).isTrue();
    assertThatThrownBy(() -> pool.submit(first))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no thread");
    assertThat(pool.state().threads()).isZero();

    fails.set(false);
    HeldTask second = submit();
    first.awaitBegun();
    assertThat(first.abandon()).isFalse();
    end(first);
    second.awaitBegun();
  }

  @Test
  void submit_whenTheThreadItCountedOnCannotBeStarted_wakesOneThatSleeps() throws Exception {
    List<HeldTask> between = new ArrayList<>();
    ThreadFactory factory =
        work -> {
          if (pool.state().threads() == 1) {
            return threads.newThread(work);
          }
          // another thread is free meanwhile, and a task counts on the one that does not come
          tasks.forEach(HeldTask::letGo);
          awaitParked(1);
          between.add(submit());
          throw new IllegalStateException("no thread");
        };
    pool = new WorkerPool("Pricing", limits(2, 2, 3), factory, time, time, aid);
    HeldTask first = begin();

    HeldTask second = new HeldTask(pool).letGo();
    assertThat(pool.permits().tryTake()).isTrue();
    assertThat(pool.submit(second)).isTrue();

    between.get(0).awaitBegun();
    assertThat(between.get(0).thread).isEqualTo(first.thread);
  }

  @Test
  void submit_whenTheOnlyThreadCannotBeStarted_triesAgainForTasksThatCountedOnIt()
      throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    List<HeldTask> between = new ArrayList<>();
    ThreadFactory factory =
        work -> {
          if (fails.getAndSet(false)) {
            between.add(submit());
            throw new IllegalStateException("no thread");
          }
          return threads.newThread(work);
        };
    pool = new WorkerPool("Pricing", limits(1, 1, 1), factory, time, time, aid);

    end(begin());

    between.get(0).awaitBegun();
  }

  @Test
  void submit_whenTheOnlyThreadCannotBeStarted_keepsThoseThatCountedOnIt_andTriesAgain()
      throws Exception {
    AtomicInteger failures = new AtomicInteger(3);
    AtomicBoolean first = new AtomicBoolean(true);
    ThreadFactory factory =
        work -> {
          if (first.getAndSet(false)) { // three callers come while the thread is about to start
            for (int i = 0; i < 3; i++) {
              HeldTask unused = submit().letGo();
            }
          }
          if (failures.getAndDecrement() > 0) {
            throw new IllegalStateException("no thread");
          }
          return threads.newThread(work);
        };
    pool = new WorkerPool("Pricing", limits(1, 1, 10), factory, time, time, aid);
    HeldTask failed = new HeldTask(pool);
    assertThat(pool.permits().tryTake()).isTrue();
    assertThatThrownBy(() -> pool.submit(failed)).hasMessage("no thread");
    assertThat(failed.abandon()).isTrue();

    assertThat(aid.armed()).isEqualTo(1);
    aid.comeTo(); // fails once more
    assertThat(aid.armed()).isEqualTo(1);
    assertThat(pool.state().queued()).isEqualTo(3);
    aid.comeTo();

    for (HeldTask task : tasks) {
      task.awaitStopped();
    }
    assertThat(aid.armed()).isZero();
    assertThat(pool.state().queued()).isZero();
    assertThat(failed.hasBegun()).isFalse();
  }

  @Test
  void submit_whenAFurtherThreadCannotBeStarted_triesAgain() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    ThreadFactory factory =
        work -> {
          if (fails.get()) {
            throw new OutOfMemoryError("no thread");
          }
          return threads.newThread(work);
        };
    pool = new WorkerPool("Pricing", limits(2, 2, 10), factory, time, time, aid);
    HeldTask stuck = begin();
    fails.set(true);
    HeldTask waiting = submit();
    assertThat(aid.armed()).isEqualTo(1);
    HeldTask another = submit();
    assertThat(aid.armed()).isEqualTo(1);

    fails.set(false);
    aid.comeTo();
    end(waiting);
    end(another);
    assertThat(aid.armed()).isZero();
    end(stuck);
  }

  @Test
  void retry_whenNothingWaitsAnyMore_startsNoThread_andIsTheLast() {
    pool =
        new WorkerPool(
            "Pricing",
            limits(1, 1, 10),
            work -> {
              throw new IllegalStateException("no thread");
            },
            time,
            time,
            aid);
    HeldTask failed = new HeldTask(pool);
    assertThat(pool.permits().tryTake()).isTrue();
    assertThatThrownBy(() -> pool.submit(failed)).hasMessage("no thread");
    assertThat(failed.abandon()).isTrue();

    for (int i = 0; i < 3 && aid.armed() > 0; i++) {
      aid.comeTo();
    }
    assertThat(aid.armed()).isZero();
  }

  @Test
  void shutdown_whileTasksWaitForATry_returnsThem() {
    pool =
        new WorkerPool(
            "Pricing",
            limits(1, 1, 10),
            work -> {
              throw new IllegalStateException("no thread");
            },
            time,
            time,
            aid);
    HeldTask waiting = new HeldTask(pool);
    assertThat(pool.permits().tryTake()).isTrue();
    assertThatThrownBy(() -> pool.submit(waiting)).hasMessage("no thread");

    assertThat(pool.shutdown()).containsExactly(waiting);
    aid.comeTo();
    assertThat(aid.armed()).isZero();
    assertThat(waiting.abandon()).isTrue();
  }

  @Test
  void submit_whenTheAidFails_losesNothing() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    ThreadFactory factory =
        work -> {
          if (fails.get()) {
            throw new IllegalStateException("no thread");
          }
          return threads.newThread(work);
        };
    pool = new WorkerPool("Pricing", limits(2, 2, 10), factory, time, time, aid);
    HeldTask first = begin();
    fails.set(true);
    aid.breaks = true;
    HeldTask second = submit();
    end(first);
    end(second);
    aid.breaks = false;

    HeldTask third = begin();
    HeldTask fourth = submit();
    assertThat(aid.armed()).as("the one that failed is not counted").isEqualTo(1);
    fails.set(false);
    aid.comeTo();
    fourth.awaitBegun();
    end(third);
    end(fourth);
  }

  @Test
  void limits_outOfRange_areRefusedWithTheirValue() {
    assertThatThrownBy(() -> limits(-1, 1, 0))
        .hasMessageContaining("core")
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> limits(0, 0, 0))
        .hasMessageContaining("maximum")
        .hasMessageContaining("was 0");
    assertThatThrownBy(() -> limits(1, 1, -2))
        .hasMessageContaining("queue")
        .hasMessageContaining("-2");
    assertThat(limits(5, 9, Integer.MAX_VALUE).permits()).isEqualTo(Integer.MAX_VALUE);
  }

  private HeldTask begin() throws InterruptedException {
    HeldTask task = submit();
    task.awaitBegun();
    return task;
  }

  private HeldTask submit() {
    HeldTask task = new HeldTask(pool);
    tasks.add(task);
    assertThat(pool.permits().tryTake()).isTrue();
    assertThat(pool.submit(task)).isTrue();
    return task;
  }

  private static void end(HeldTask task) throws InterruptedException {
    task.letGo().awaitStopped();
  }

  private void awaitParked(int count) {
    await().until(() -> time.waiting().size() == count);
  }

  private WorkerPool pool(int core, int maximum, int queue) {
    return new WorkerPool("Pricing", limits(core, maximum, queue), threads, time, time, aid);
  }

  private static PoolLimits limits(int core, int maximum, int queue) {
    return new PoolLimits(core, maximum, queue, KEEP_ALIVE.toNanos());
  }
}
