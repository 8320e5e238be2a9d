// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a worker sleeps and is woken, on the thread of the test. */
class WorkerTest {

  private final ManualTime time = new ManualTime();
  private final List<Long> waits = new ArrayList<>();
  private final List<Thread> wakings = new ArrayList<>();

  /** What happens during the next wait. */
  private Runnable meanwhile = () -> {};

  private final Waiter waiter =
      new Waiter() {
        @Override
        public void awaitUntil(long deadlineNanos) {
          waits.add(deadlineNanos);
          meanwhile.run();
        }

        @Override
        public void wake(Thread thread) {
          wakings.add(thread);
        }
      };

  private final Worker worker =
      new Worker(
          new WorkerPool(
              "Pricing",
              new PoolLimits(1, 1, 0, 0),
              new DaemonThreads("Pricing", time, time),
              time,
              time,
              new LaterAid()),
          time,
          waiter);

  @AfterEach
  void noInterruptIsLeft() {
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void park_ofOneThatWasWokenBefore_doesNotSleep() {
    worker.willPark();
    worker.thread = Thread.currentThread();
    worker.wake();
    assertThat(worker.park(Waiter.FOREVER)).isFalse();
    assertThat(waits).isEmpty();
    assertThat(wakings).as("it did not sleep").isEmpty();
    assertThat(worker.isAsleep()).isFalse();
  }

  @Test
  void park_untilWoken_dropsInterruptsThatComeMeanwhile() {
    worker.willPark();
    worker.thread = Thread.currentThread();
    meanwhile =
        () -> {
          assertThat(worker.isAsleep()).isTrue();
          Thread.currentThread().interrupt();
          if (waits.size() == 3) {
            worker.wake();
          }
        };
    assertThat(worker.park(Waiter.FOREVER)).isFalse();
    assertThat(waits).hasSize(3).containsOnly(Waiter.FOREVER);
    assertThat(wakings).containsExactly(Thread.currentThread());
  }

  @Test
  void park_withADeadline_endsAtItAndNotBefore() {
    long deadline = time.nanoTime() + 2;
    meanwhile = () -> time.advance(Duration.ofNanos(1));
    assertThat(worker.park(deadline)).isTrue();
    assertThat(waits).containsExactly(deadline, deadline);
  }

  @Test
  void willPark_afterAWakeUp_sleepsAnew() {
    worker.wake();
    worker.willPark();
    assertThat(worker.isAsleep()).isFalse();
    assertThat(worker.park(time.nanoTime())).isTrue();
    assertThat(worker.isAsleep()).isTrue();
    worker.willPark();
    assertThat(worker.isAsleep()).isFalse();
  }

  @Test
  void wake_ofOneThatHasNoThreadYet_isKeptForLater() {
    assertThat(worker.park(time.nanoTime())).isTrue();
    worker.wake();
    assertThat(wakings).isEmpty();
    assertThat(worker.park(Waiter.FOREVER)).isFalse();
    assertThat(waits).isEmpty();
  }
}
