// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.OwnThread;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@OwnThread
class SystemTimeTest {

  /** A wait may end for no reason, but not time and again. */
  private static final int MANY = 10_000;

  private final Ticker ticker = Ticker.system();
  private final Waiter waiter = Waiter.system();
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger returned = new AtomicInteger();

  @Test
  void nanoTime_always_isThatOfTheJvm() {
    long before = System.nanoTime();
    long read = ticker.nanoTime();
    long after = System.nanoTime();

    assertThat(read - before).isNotNegative();
    assertThat(after - read).isNotNegative();
  }

  @Test
  void awaitUntil_forever_waitsUntilItIsWoken() {
    Thread waits = waitFor(Waiter.FOREVER);

    assertThat(stateOf(waits)).isEqualTo(Thread.State.WAITING);

    over.set(true);
    waiter.wake(waits);
    await().until(() -> !waits.isAlive());
  }

  @Test
  void awaitUntil_deadlineToCome_waitsForThatTimeOrUntilItIsWoken() {
    Thread waits = waitFor(ticker.nanoTime() + Duration.ofHours(1).toNanos());

    assertThat(stateOf(waits)).isEqualTo(Thread.State.TIMED_WAITING);

    over.set(true);
    waiter.wake(waits);
    await().until(() -> !waits.isAlive());
  }

  @Test
  void awaitUntil_deadlineThatHasPassed_returnsAtOnce() {
    Thread waits = waitFor(ticker.nanoTime() - 1);

    assertThat(stateOf(waits)).isEqualTo(Thread.State.RUNNABLE);

    over.set(true);
    await().until(() -> !waits.isAlive());
  }

  private Thread waitFor(long deadlineNanos) {
    Thread waits =
        new Thread(
            () -> {
              while (!over.get()) {
                waiter.awaitUntil(deadlineNanos);
                returned.incrementAndGet();
              }
            });
    waits.setDaemon(true);
    waits.start();
    return waits;
  }

  /** How it waits; {@code RUNNABLE} if it does not, but returns each time. */
  private Thread.State stateOf(Thread thread) {
    return await()
        .until(
            () ->
                LockSupport.getBlocker(thread) == waiter
                    ? thread.getState()
                    : Thread.State.RUNNABLE,
            state -> state != Thread.State.RUNNABLE || returned.get() > MANY);
  }
}
