// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.time.ManualTime;
import org.junit.jupiter.api.Test;

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
