// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.time.ManualTime;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoalescingTaskTest {

  private final HeldTasks tasks = new HeldTasks();
  private final ManualTime time = new ManualTime(); // so nothing is passed over for being late
  private final Timer timer = new Timer(time, time, Thread::new);
  private final CallbackExecutor executor =
      CallbackExecutor.of(tasks, timer, time, time, Thread::new);
  private final CallbackShare callbacks = executor.newShare("Subject");
  private final AtomicInteger done = new AtomicInteger();
  private final CoalescingTask task = new CoalescingTask(done::incrementAndGet, callbacks);

  @AfterEach
  void close() {
    assertThat(callbacks.waiting()).isZero();
    await().until(() -> callbacks.threads() == 0);
    assertThat(executor.close(time.nanoTime(), time.nanoTime())).isEmpty();
    assertThat(executor.refused()).as("refusals that belong to calls").isZero();
    timer.close();
  }

  @Test
  void ask_whileItWaits_isBroughtOnce() {
    task.ask();
    task.ask();
    assertThat(tasks.size()).isEqualTo(1);
    tasks.run();
    assertThat(done).hasValue(1);
  }

  @Test
  void ask_afterItRan_isBroughtAgain() {
    task.ask();
    tasks.run();
    task.ask();
    tasks.run();
    assertThat(done).hasValue(2);
  }

  @Test
  void ask_whileItRuns_isDoneOnceMore_afterwards() {
    AtomicReference<CoalescingTask> self = new AtomicReference<>();
    CoalescingTask asking =
        new CoalescingTask(
            () -> {
              if (done.incrementAndGet() == 1) {
                self.get().ask();
                self.get().ask();
                assertThat(callbacks.waiting()).isZero(); // not beside itself
                assertThat(tasks.size()).isZero();
              }
            },
            callbacks);
    self.set(asking);
    asking.ask();
    tasks.run();
    assertThat(done).hasValue(2);
  }

  @Test
  void ask_withoutRoom_isLeftOut_andMayBeAskedAgain() {
    tasks.full(true);
    task.ask();
    tasks.full(false);
    assertThat(tasks.size()).isZero();
    assertThat(done).hasValue(0);
    task.ask();
    tasks.run();
    assertThat(done).hasValue(1);
  }

  @Test
  void demand_withoutRoom_isDoneAllTheSame() {
    tasks.full(true);
    task.demand();
    await().until(() -> done.get() == 1);
    assertThat(tasks.size()).isZero();
  }

  @Test
  void run_whatThrows_mayBeAskedAgain() {
    CoalescingTask throwing =
        new CoalescingTask(
            () -> {
              done.incrementAndGet();
              throw new IllegalStateException("on purpose");
            },
            callbacks);
    throwing.ask();
    tasks.run();
    throwing.ask();
    tasks.run();
    assertThat(done).hasValue(2);
  }
}
