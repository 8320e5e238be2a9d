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
  private final WorkerQueue crew = new WorkerQueue(limits);

  @Test
  void takeIdle_whileAnotherIsAwakeForTheTask_wakesNone() {
    Worker working = join();
    crew.add(new HeldTask(pool));
    crew.begin(working, 0);
    Worker first = parked();
    Worker second = parked();

    crew.add(new HeldTask(pool));
    assertThat(crew.takeIdle()).isSameAs(second);
    // the one at work is done sooner than the one woken is there
    crew.finish(working);
    assertThat(crew.begin(working, 0)).isNotNull();
    crew.add(new HeldTask(pool));

    assertThat(crew.takeIdle()).isNull();
    crew.add(new HeldTask(pool));
    assertThat(crew.takeIdle()).isSameAs(first);
  }

  @Test
  void takeIdle_whenTheOneAwakeHasLeft_wakesAnother() {
    parked();
    Worker second = parked();
    Worker third = parked();
    crew.add(new HeldTask(pool));
    // none of them sleeps yet, so that it is the last one
    assertThat(crew.takeIdle()).isSameAs(third);

    crew.leave(third);

    assertThat(crew.takeIdle()).isSameAs(second);
    assertThat(crew.takeIdle()).isNull();
  }

  /** A deadline may come between an execution's launch and its way into the queue. */
  @Test
  void takeIdle_afterAnAbandonmentThatCameBeforeItsTask_wakesForTheNext() {
    Worker idle = parked();
    crew.abandoned();
    crew.add(new HeldTask(pool));

    assertThat(crew.takeIdle()).isSameAs(idle);
  }

  @Test
  void mayStart_afterAnAbandonmentThatCameBeforeItsTask_isTrueForTheNext() {
    crew.abandoned();
    crew.add(new HeldTask(pool));

    assertThat(crew.mayStart()).isTrue();
  }

  private Worker join() {
    Worker worker = new Worker(pool, time, time);
    crew.join(worker);
    return worker;
  }

  private Worker parked() {
    Worker worker = join();
    crew.park(worker);
    return worker;
  }
}
