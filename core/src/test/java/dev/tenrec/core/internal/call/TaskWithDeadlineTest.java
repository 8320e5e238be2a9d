// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.time.ManualTime;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A task that waits for its share, and is withdrawn where there is no memory for that. */
class TaskWithDeadlineTest {

  private static final long DUE_MILLIS = 50;

  private final ManualTime time = new ManualTime();
  private final Timer timer = new Timer(time, time, Thread::new);
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger withdrawals = new AtomicInteger();

  @AfterEach
  void close() {
    assertThat(timer.close()).isEmpty();
  }

  /** Withdrawn at the first look only: by the second one its share has gone on. */
  private final class Subject extends TaskWithDeadline {

    @Override
    public void begin() {
      throw new AssertionError("it was to be withdrawn");
    }

    @Override
    public void notBegun(long deadlineNanos) {
      if (looks.getAndIncrement() == 0) {
        withdraw();
      } else {
        watch(timer, deadlineNanos + DUE_MILLIS * 1_000_000);
      }
    }

    @Override
    public void withdrawn() {
      if (withdrawals.getAndIncrement() < 2) {
        throw new OutOfMemoryError("of the test");
      }
    }
  }

  @Test
  void withdrawn_withoutMemory_isCalledAgain_whateverTheNextLookWouldSay() {
    Subject subject = new Subject();
    subject.watch(timer, time.nanoTime() + DUE_MILLIS * 1_000_000);

    time.advanceMillis(DUE_MILLIS);
    await()
        .untilAsserted(
            () -> {
              time.advanceMillis(10); // the timer's next round
              assertThat(withdrawals).hasValue(3);
            });

    assertThat(subject.claim()).isFalse();
    assertThat(looks).hasValue(1);
    await()
        .untilAsserted(
            () -> {
              time.advanceMillis(10);
              assertThat(timer.pending()).isZero();
            });
    assertThat(withdrawals).hasValue(3);
  }
}
