// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.timeout.CallbackExecutor;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ErrandTest {

  private final HeldTasks tasks = new HeldTasks();
  private final CallbackExecutor callbacks =
      CallbackExecutor.of(tasks, Ticker.system(), Waiter.system(), Thread::new);
  private final AtomicInteger done = new AtomicInteger();
  private final Errand errand = new Errand(done::incrementAndGet, callbacks);

  @AfterEach
  void close() {
    assertThat(callbacks.close(Ticker.system().nanoTime())).isEmpty();
    assertThat(callbacks.refused()).as("refusals that belong to calls").isZero();
  }

  @Test
  void ask_whileItWaits_isBroughtOnce() {
    errand.ask();
    errand.ask();
    assertThat(tasks.size()).isEqualTo(1);
    tasks.run();
    assertThat(done).hasValue(1);
  }

  @Test
  void ask_afterItRan_isBroughtAgain() {
    errand.ask();
    tasks.run();
    errand.ask();
    tasks.run();
    assertThat(done).hasValue(2);
  }

  @Test
  void ask_whileItRuns_isDoneOnceMore_byAnotherTask() {
    AtomicReference<Errand> self = new AtomicReference<>();
    Errand asking =
        new Errand(
            () -> {
              if (done.incrementAndGet() == 1) {
                self.get().ask();
                self.get().ask();
                assertThat(tasks.size()).isZero(); // not beside itself
              }
            },
            callbacks);
    self.set(asking);
    asking.ask();
    tasks.take().run();
    assertThat(done).hasValue(1);
    tasks.run();
    assertThat(done).hasValue(2);
  }

  @Test
  void ask_withoutRoom_isLeftOut_andMayBeAskedAgain() {
    tasks.full(true);
    errand.ask();
    tasks.full(false);
    assertThat(tasks.size()).isZero();
    assertThat(done).hasValue(0);
    errand.ask();
    tasks.run();
    assertThat(done).hasValue(1);
  }

  @Test
  void demand_withoutRoom_isDoneAllTheSame() {
    tasks.full(true);
    errand.demand();
    await().until(() -> done.get() == 1);
    assertThat(tasks.size()).isZero();
  }

  @Test
  void run_whatThrows_mayBeAskedAgain() {
    Errand throwing =
        new Errand(
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
