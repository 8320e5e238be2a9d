// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.kit.ChildJvm;
import dev.tenrec.metrics.time.ManualTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerQueueTest {

  private final ManualTime time = new ManualTime();
  private final PoolLimits limits = new PoolLimits(3, 3, 10, 1);
  private final WorkerPool pool =
      new WorkerPool(
          "Pricing", limits, new DaemonThreads("Pricing", time, time), time, time, new LaterAid());
  private final WorkerQueue queue = new WorkerQueue(limits);

  @Test
  void takeIdle_whileAnotherIsAwakeForTheTask_wakesNone() {
    Worker working = join();
    queue.add(new HeldTask(pool));
    queue.begin(working, 0);
    Worker first = parked();
    Worker second = parked();

    queue.add(new HeldTask(pool));
    assertThat(queue.takeIdle()).isSameAs(second);
    // the one at work is done sooner than the one woken is there
    queue.finish(working);
    assertThat(queue.begin(working, 0)).isNotNull();
    queue.add(new HeldTask(pool));

    assertThat(queue.takeIdle()).isNull();
    queue.add(new HeldTask(pool));
    assertThat(queue.takeIdle()).isSameAs(first);
  }

  @Test
  void takeIdle_whenTheOneAwakeHasLeft_wakesAnother() {
    parked();
    Worker second = parked();
    Worker third = parked();
    queue.add(new HeldTask(pool));
    // none of them sleeps yet, so that it is the last one
    assertThat(queue.takeIdle()).isSameAs(third);

    queue.leave(third);

    assertThat(queue.takeIdle()).isSameAs(second);
    assertThat(queue.takeIdle()).isNull();
  }

  /** A deadline may come between an execution's launch and its way into the queue. */
  @Test
  void takeIdle_afterAnAbandonmentThatCameBeforeItsTask_wakesForTheNext() {
    Worker idle = parked();
    queue.abandoned();
    queue.add(new HeldTask(pool));

    assertThat(queue.takeIdle()).isSameAs(idle);
  }

  @Test
  void mayStart_afterAnAbandonmentThatCameBeforeItsTask_isTrueForTheNext() {
    queue.abandoned();
    queue.add(new HeldTask(pool));

    assertThat(queue.mayStart()).isTrue();
  }

  // The rules one by one, with tasks that end when a test says so.

  private static final class Item implements Task {
    private boolean abandoned;

    @Override
    public void run() {}

    @Override
    public boolean isAbandoned() {
      return abandoned;
    }
  }

  private static WorkerQueue queue(int core, int maximum, int places) {
    return new WorkerQueue(new PoolLimits(core, maximum, places, 1));
  }

  private static Item added(WorkerQueue to) {
    Item item = new Item();
    to.add(item);
    return item;
  }

  private Worker joined(WorkerQueue to) {
    Worker worker = new Worker(pool, time, time);
    to.join(worker);
    return worker;
  }

  @Test
  void mayStart_belowCore_isForEachTaskThatFindsNoWorker() {
    WorkerQueue rules = queue(2, 4, 3);
    assertThat(rules.mayStart()).as("without a task").isFalse();
    added(rules);
    assertThat(rules.mayStart()).isTrue();
    joined(rules);
    assertThat(rules.mayStart()).as("one is ready for it").isFalse();
    added(rules);
    assertThat(rules.mayStart()).isTrue();
  }

  @Test
  void mayStart_atCore_isForMoreThanTheQueueTakes_upToTheMaximum() {
    WorkerQueue rules = queue(2, 4, 3);
    for (int i = 0; i < 2; i++) {
      added(rules);
      assertThat(rules.begin(joined(rules), 0)).isNotNull();
    }
    for (int i = 0; i < 3; i++) {
      added(rules);
      assertThat(rules.mayStart()).as("%d wait", i + 1).isFalse();
    }
    added(rules);
    assertThat(rules.mayStart()).isTrue();
    joined(rules);
    assertThat(rules.mayStart()).isFalse();
    added(rules);
    assertThat(rules.mayStart()).isTrue();
    joined(rules);
    added(rules);
    assertThat(rules.mayStart()).as("at the maximum").isFalse();
    assertThat(rules.state()).isEqualTo(new PoolState(rules.limits, 4, 2, 6, 4, 0));
  }

  @Test
  void mayStart_withACoreOfNone_isForAFirstThread() {
    WorkerQueue rules = queue(0, 2, 5);
    added(rules);
    assertThat(rules.mayStart()).isTrue();
    joined(rules);
    added(rules);
    assertThat(rules.mayStart()).isFalse();
  }

  @Test
  void isShort_ofDeadTasksOnly_isFalse() {
    WorkerQueue rules = queue(1, 1, 5);
    Item dead = added(rules);
    assertThat(rules.isShort()).isTrue();
    dead.abandoned = true;
    assertThat(rules.isShort()).isFalse();
    assertThat(rules.entries()).isZero();
  }

  @Test
  void crowd_atItsBounds_isNoneYet() {
    WorkerQueue rules = queue(1, 2, 0);
    Worker first = joined(rules);
    assertThat(rules.isAboveCore()).isFalse();
    Worker second = joined(rules);
    assertThat(rules.isAboveCore()).isTrue();
    assertThat(rules.isOvercrowded()).isFalse();
    rules.limits = new PoolLimits(1, 1, 0, 1);
    assertThat(rules.isOvercrowded()).isTrue();
    rules.leave(first);
    assertThat(rules.threads()).isOne();
    assertThat(rules.active()).isZero();
    rules.leave(second);
    assertThat(rules.threads()).isZero();
    assertThat(rules.active()).isZero();
  }

  @Test
  void begin_always_isTheOldestThatIsNotDead() {
    WorkerQueue rules = queue(2, 2, 5);
    Worker worker = joined(rules);
    Item dead = added(rules);
    Item first = added(rules);
    Item second = added(rules);
    dead.abandoned = true;
    rules.abandoned();

    assertThat(rules.live()).containsExactly(first, second);
    assertThat(rules.begin(worker, 17)).isSameAs(first);
    assertThat(rules.active()).isOne();
    assertThat(rules.state().queued()).isOne();
    assertThat(rules.busy()).as("it has no thread yet").isEmpty();
    worker.thread = Thread.currentThread();
    assertThat(rules.busy()).containsExactly(new BusyThread(Thread.currentThread(), first, 17));
    rules.finish(worker);
    assertThat(rules.busy()).isEmpty();
    assertThat(rules.active()).isZero();
    assertThat(rules.state().completed()).isOne();
    rules.finish(worker);
    assertThat(rules.state().completed()).as("it had no other").isOne();
    assertThat(rules.active()).isZero();
    assertThat(rules.begin(worker, 18)).isSameAs(second);
    rules.finish(worker);
    assertThat(rules.begin(worker, 19)).isNull();
    assertThat(rules.active()).isZero();
    assertThat(rules.state().completed()).isEqualTo(2);
  }

  /** It is counted where it is reported, and not where it ends. */
  @Test
  void finish_ofATaskThatWasAbandonedAtItsBeginning_isNoneDone() {
    WorkerQueue rules = queue(1, 1, 5);
    Worker worker = joined(rules);
    Item item = added(rules);
    Item next = added(rules);
    assertThat(rules.begin(worker, 0)).isSameAs(item);
    item.abandoned = true;
    rules.abandoned();
    rules.finish(worker);
    assertThat(rules.state().completed()).isZero();
    assertThat(rules.state().queued()).isOne();
    assertThat(rules.begin(worker, 0)).isSameAs(next);
    assertThat(rules.state().queued()).isZero();
  }

  @Test
  void abandoned_moreThanTheMarginBeyondTheLive_areSwept() {
    for (int tasks : new int[] {64, 65}) {
      WorkerQueue rules = queue(1, 1, 1_000);
      List<Item> items = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        items.add(added(rules));
      }
      for (Item item : items) {
        assertThat(rules.entries()).isEqualTo(tasks);
        item.abandoned = true;
        rules.abandoned();
      }
      assertThat(rules.entries()).isEqualTo(tasks == 64 ? 64 : 0);
      assertThat(rules.state().queued()).isZero();
    }
  }

  @Test
  void abandoned_asManyAsTheLiveAndTheMargin_areNotSwept() {
    WorkerQueue rules = queue(1, 1, 1_000);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 10 + 75; i++) {
      items.add(added(rules));
    }
    for (Item item : items.subList(0, 74)) { // 11 live, 74 dead
      item.abandoned = true;
      rules.abandoned();
    }
    assertThat(rules.entries()).isEqualTo(85);
    items.get(74).abandoned = true; // 10 live, 75 dead
    rules.abandoned();
    assertThat(rules.entries()).isEqualTo(10);
    assertThat(rules.state().queued()).isEqualTo(10);
  }

  @Test
  void takeMostActive_always_beginsAgainFromThePresent() {
    WorkerQueue rules = queue(3, 3, 0);
    Worker first = joined(rules);
    Worker second = joined(rules);
    for (Worker worker : List.of(first, second)) {
      added(rules);
      assertThat(rules.begin(worker, 0)).isNotNull();
    }
    rules.finish(first);
    assertThat(rules.takeMostActive()).isEqualTo(2);
    assertThat(rules.takeMostActive()).isOne();
    rules.finish(second);
    assertThat(rules.takeMostActive()).isOne();
    assertThat(rules.takeMostActive()).isZero();
  }

  @Test
  void clear_always_emptiesTheQueue() {
    WorkerQueue rules = queue(1, 1, 5);
    added(rules);
    assertThat(rules.entries()).isOne();
    rules.clear();
    assertThat(rules.entries()).isZero();
    assertThat(rules.live()).isEmpty();
    rules.abandoned();
    rules.abandoned();
    assertThat(rules.state().queued()).isZero();
  }

  @Test
  void takeAllIdle_always_areThoseThatWereParked() {
    WorkerQueue rules = queue(3, 3, 5);
    Worker first = joined(rules);
    Worker second = joined(rules);
    rules.park(first);
    rules.park(second);
    assertThat(rules.takeAllIdle()).containsExactly(second, first);
    assertThat(rules.takeAllIdle()).isEmpty();
    assertThat(rules.unpark(first)).isFalse();
    rules.park(first);
    assertThat(rules.unpark(first)).isTrue();
    assertThat(rules.unpark(first)).isFalse();
  }

  /**
   * On the thread that asks, whose deadline has come: it sleeps from then on, as far as is known.
   */
  private Worker asleep(WorkerQueue in) {
    Worker worker = joined(in);
    worker.willPark();
    in.park(worker);
    assertThat(worker.park(time.nanoTime())).isTrue();
    assertThat(worker.isAsleep()).isTrue();
    return worker;
  }

  @Test
  void takeIdle_whereAllSleepAndNoneIsSurplus_isTheOneThatSleepsLongest() {
    WorkerQueue rules = queue(3, 3, 5);
    Worker first = asleep(rules);
    Worker second = asleep(rules);
    added(rules);
    assertThat(rules.takeIdle()).isSameAs(first);
    added(rules);
    assertThat(rules.takeIdle()).isSameAs(second);
    added(rules);
    assertThat(rules.takeIdle()).isNull();
  }

  @Test
  void takeIdle_whereOneIsAtWork_isTheLast() {
    WorkerQueue rules = queue(3, 3, 5);
    Worker working = joined(rules);
    added(rules);
    assertThat(rules.begin(working, 0)).isNotNull();
    asleep(rules);
    Worker last = asleep(rules);
    added(rules);
    assertThat(rules.takeIdle()).isSameAs(last);
  }

  @Test
  void takeIdle_whereOneIsSurplus_isTheLast() {
    WorkerQueue rules = queue(1, 3, 5);
    asleep(rules);
    Worker last = asleep(rules);
    added(rules);
    assertThat(rules.takeIdle()).isSameAs(last);
  }

  /** The pool would be a thread short for ever, and never be quiet. */
  @Test
  @Tag("race")
  void join_withoutMemory_addsNoWorker(@TempDir Path directory) throws Exception {
    ChildJvm.with(
            "-Xmx64m",
            "-XX:-UseTLAB",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xlog:disable")
        .run(directory, 60, JoinWithoutMemoryChild.class);
  }

  private Worker join() {
    Worker worker = new Worker(pool, time, time);
    queue.join(worker);
    return worker;
  }

  private Worker parked() {
    Worker worker = join();
    queue.park(worker);
    return worker;
  }
}
