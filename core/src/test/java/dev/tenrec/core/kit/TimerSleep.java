// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Waiter;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The waiter of a manual time that knows until when the timer's thread sleeps: a test that waits
 * for that has seen all that was due begin, and knows to the nanosecond what is next. Whatever is
 * next in 10 ms or more, it looks every 10 ms; so a test moves time closer before it asks.
 */
public final class TimerSleep implements Waiter {

  private final ManualTime time;

  /** Null while it is about. Of one Tenrec's. */
  private final AtomicReference<@Nullable Long> until = new AtomicReference<>();

  public TimerSleep(ManualTime time) {
    this.time = time;
  }

  @Override
  public void awaitUntil(long deadlineNanos) {
    boolean ofTheTimer = Thread.currentThread().getName().startsWith("tenrec-timer-");
    if (ofTheTimer) {
      until.set(deadlineNanos);
    }
    time.awaitUntil(deadlineNanos);
    if (ofTheTimer) {
      until.set(null);
    }
  }

  @Override
  public void wake(Thread thread) {
    time.wake(thread);
  }

  /** Waits until the timer's thread sleeps until just then. */
  public void awaitUntilJust(long deadlineNanos) {
    await().untilAsserted(() -> assertThat(until.get()).isEqualTo(deadlineNanos));
  }
}
