// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.timeout.Timeout;
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

  /** As closing finds it. */
  private static final class Left extends TaskWithDeadline {

    private final AtomicInteger aborted = new AtomicInteger();
    private final AtomicInteger withdrawn = new AtomicInteger();

    @Override
    public void begin() {}

    @Override
    public void notBegun(long deadlineNanos) {}

    @Override
    public void withdrawn() {
      if (withdrawn.getAndIncrement() == 0) {
        throw new OutOfMemoryError("of the test");
      }
    }

    @Override
    protected void abort() {
      aborted.incrementAndGet();
    }
  }

  private Left watched() {
    Left task = new Left();
    task.watch(timer, time.nanoTime() + DUE_MILLIS * 1_000_000);
    return task;
  }

  private void closeTheTimer() {
    for (Timeout left : timer.close()) {
      left.closed();
    }
  }

  /** What waits for it has to end, whether or not its share knows it. */
  @Test
  void task_thatHasNotBegun_isAbortedByClosing() {
    Left task = watched();

    closeTheTimer();

    assertThat(task.aborted).hasValue(1);
    assertThat(task.withdrawn).hasValue(0);
  }

  @Test
  void task_thatHasBegun_isLeftToItsThreadByClosing() {
    Left task = watched();
    assertThat(task.claim()).isTrue();

    closeTheTimer();

    assertThat(task.aborted).hasValue(0);
    assertThat(task.withdrawn).hasValue(0);
  }

  @Test
  void task_thatCouldNotBeWithdrawn_isWithdrawnByClosing() {
    Left task = watched();
    assertThatThrownBy(task::withdraw).isInstanceOf(OutOfMemoryError.class);

    closeTheTimer();

    assertThat(task.withdrawn).hasValue(2);
    assertThat(task.aborted).hasValue(0);
  }
}
