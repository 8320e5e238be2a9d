// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Waiter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class GuardedTimeTest {

  private static final AssertionError ON_PURPOSE = new AssertionError("time that fails on purpose");

  private final ManualTime time = new ManualTime();
  private final List<String> reported = new CopyOnWriteArrayList<>();

  /** Set by the test. Read by all. */
  private volatile boolean failing;

  private final GuardedTime guarded =
      new GuardedTime(
          () -> {
            failIfFailing();
            return time.nanoTime();
          },
          new Waiter() {
            @Override
            public void awaitUntil(long deadlineNanos) {
              failIfFailing();
              time.awaitUntil(deadlineNanos);
            }

            @Override
            public void wake(Thread thread) {
              failIfFailing();
              time.wake(thread);
            }
          });

  private void failIfFailing() {
    if (failing) {
      throw ON_PURPOSE;
    }
  }

  private void report() {
    guarded.reportFailures(
        (what, thrown) -> {
          assertThat(thrown).isSameAs(ON_PURPOSE);
          reported.add(what);
        });
  }

  @Test
  void time_thatWorks_isPassedOn() {
    report();
    assertThat(guarded.nanoTime()).isEqualTo(time.nanoTime());
    guarded.awaitUntil(time.nanoTime());
    guarded.wake(Thread.currentThread());
    LockSupport.parkNanos(30_000_000_000L); // the wake-up is pending
    assertThat(reported).isEmpty();
  }

  @Test
  void ticker_thatThrows_repeatsItsLastReading() {
    report();
    long last = guarded.nanoTime();
    failing = true;
    time.advanceMillis(5);
    assertThat(guarded.nanoTime()).isEqualTo(last);
    assertThat(reported).containsExactly("the ticker failed, its last reading is used");
    failing = false;
    assertThat(guarded.nanoTime()).isEqualTo(last + 5_000_000);
  }

  @Test
  void waiter_thatThrows_returnsAtOnce() {
    report();
    failing = true;
    guarded.awaitUntil(Waiter.FOREVER);
    assertThat(reported).containsExactly("the waiter failed to wait");
  }

  @Test
  void waiter_thatThrowsWhenItWakes_wakesAllTheSame() throws Exception {
    report();
    Thread parked = new Thread(LockSupport::park, "parked");
    parked.start();
    await().until(() -> parked.getState() == Thread.State.WAITING);
    failing = true;
    guarded.wake(parked);
    parked.join(PatientWaits.patience().toMillis());
    assertThat(parked.isAlive()).isFalse();
    assertThat(reported).containsExactly("the waiter failed to wake parked");
  }

  @Test
  void report_thatThrows_isDropped() {
    guarded.reportFailures(
        (what, thrown) -> {
          throw new IllegalStateException("on purpose");
        });
    failing = true;
    guarded.awaitUntil(Waiter.FOREVER);
    guarded.wake(Thread.currentThread());
    long again = guarded.nanoTime();
    assertThat(guarded.nanoTime()).isEqualTo(again);
  }
}
