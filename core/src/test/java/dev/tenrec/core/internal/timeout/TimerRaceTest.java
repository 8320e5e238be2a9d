// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Arming threads against the timer thread and against a close, in real time. */
@Tag("race")
class TimerRaceTest {

  private static final int PER_THREAD = 20_000;

  private final Ticker ticker = Ticker.system();
  private final Timer timer =
      new Timer(ticker, Waiter.system(), new PlainDaemonThreads("race-timer"));

  @Test
  void arm_byManyThreads_everyDeadlineExpiresOnceAndNoneBeforeItsTime() throws Exception {
    AtomicInteger early = new AtomicInteger();
    List<TestTimeout> live = Collections.synchronizedList(new ArrayList<>());
    inThreads(
        () -> {
          for (int i = 0; i < PER_THREAD; i++) {
            long deadline = ticker.nanoTime() + ThreadLocalRandom.current().nextLong(20_000_000);
            TestTimeout timeout =
                new TestTimeout(deadline) {
                  @Override
                  protected void expired() {
                    early.addAndGet(ticker.nanoTime() - deadline < 0 ? 1 : 0);
                    super.expired();
                  }
                };
            assertThat(timer.arm(timeout)).isTrue();
            if (i % 4 == 0) {
              live.add(timeout);
            } else {
              timeout.ended = true;
            }
          }
        });
    await().atMost(PatientWaits.patience()).until(() -> timer.pending() == 0);
    await() // it takes them out before it has them expire
        .untilAsserted(
            () -> assertThat(live).allSatisfy(timeout -> assertThat(timeout.expiries).hasValue(1)));
    assertThat(early).hasValue(0);
    assertThat(timer.close()).isEmpty();
  }

  @Test
  void arm_oneAtATimeOnASleepingTimer_isNeverMissed() {
    for (int i = 0; i < 2_000; i++) {
      TestTimeout timeout = new TestTimeout(ticker.nanoTime());
      assertThat(timer.arm(timeout)).isTrue();
      long giveUp = ticker.nanoTime() + PatientWaits.patience().toNanos();
      while (timeout.expiries.get() == 0 && ticker.nanoTime() - giveUp < 0) {
        Thread.onSpinWait();
      }
      assertThat(timeout.expiries).hasValue(1);
    }
    timer.close();
  }

  @Test
  void close_againstArming_everyTimeoutIsRefusedReturnedOrExpired() throws Exception {
    for (int round = 0; round < 50; round++) {
      Timer closing = new Timer(ticker, Waiter.system(), new PlainDaemonThreads("race-timer"));
      List<TestTimeout> accepted = Collections.synchronizedList(new ArrayList<>());
      List<Timeout> left = Collections.synchronizedList(new ArrayList<>());
      AtomicInteger turn = new AtomicInteger();
      inThreads(
          () -> {
            if (turn.getAndIncrement() == 0) {
              for (int i = 0; i < 200; i++) {
                Thread.onSpinWait();
              }
              closing.close().forEach(left::add);
            } else {
              TestTimeout timeout;
              do {
                timeout =
                    new TestTimeout(
                        ticker.nanoTime() + ThreadLocalRandom.current().nextLong(200_000));
                accepted.add(timeout);
              } while (closing.arm(timeout));
              accepted.remove(timeout);
            }
          });
      accepted.removeIf(timeout -> timeout.expiries.get() == 1);
      // as sets: where a thread was held up there are a million, too many to compare each with each
      assertThat(left).hasSameSizeAs(accepted);
      assertThat(new HashSet<>(left)).isEqualTo(new HashSet<Timeout>(accepted));
    }
  }

  private static void inThreads(Runnable task) throws Exception {
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Thread thread = new Thread(task);
      thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(PatientWaits.patience().toMillis());
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(failures).isEmpty();
  }
}
