// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.callback.CallbackExecutor;
import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SamplersTest {

  private static final long MS = 1_000_000;
  private static final long INTERVAL = 500 * MS;

  private final ManualTime time = new ManualTime();
  private final HeldTasks tasks = new HeldTasks();
  private final Timer timer = new Timer(time, time, Thread::new);
  private final CallbackExecutor executor =
      CallbackExecutor.of(tasks, timer, time, time, Thread::new);
  private final CallbackShare callbacks = executor.newShare("Subject");
  private final Samplers samplers = new Samplers(time, timer, callbacks);

  /** What was read so far: 1, 2, 3 ... Used by the test's thread, which runs all tasks. */
  private int readings;

  private class Heard implements SampleListener<Integer> {
    final List<Integer> values = new CopyOnWriteArrayList<>();
    final List<String> ends = new CopyOnWriteArrayList<>();

    @Override
    public void sampled(Integer value) {
      values.add(value);
    }

    @Override
    public void ended() {
      ends.add(Thread.currentThread().getName());
    }
  }

  private Runnable listen(SampleListener<Integer> listener) {
    return samplers.listen("what", INTERVAL, () -> ++readings, listener);
  }

  private void beat() {
    time.advanceMillis(500);
    tasks.run();
  }

  private void assertNothingIsLeft() {
    assertThat(samplers.count()).isZero();
    await()
        .untilAsserted(
            () -> {
              time.advanceMillis(500);
              assertThat(timer.pending()).isZero();
            });
    assertThat(tasks.size()).isZero();
  }

  @AfterEach
  void close() {
    await().until(() -> callbacks.threads() == 0); // one that has done its task may be at it still
    assertThat(timer.close()).isEmpty();
    assertThat(executor.close(time.nanoTime(), time.nanoTime())).isEmpty();
    assertThat(executor.refused()).as("refusals that belong to calls").isZero();
  }

  @Test
  void listen_theFirst_getsAReadingAtOnce_andThenEveryInterval() {
    Heard heard = new Heard();
    Runnable leave = listen(heard);
    tasks.run();
    assertThat(heard.values).containsExactly(1);
    time.advanceMillis(499);
    assertThat(tasks.size()).isZero();
    time.advanceMillis(1);
    tasks.run();
    assertThat(heard.values).containsExactly(1, 2);
    beat();
    assertThat(heard.values).containsExactly(1, 2, 3);
    leave.run();
    assertNothingIsLeft();
    assertThat(readings).isEqualTo(3);
  }

  @Test
  void listen_severalToTheSame_shareOneReadingEachInterval() {
    Heard first = new Heard();
    Heard second = new Heard();
    Runnable firstLeaves = listen(first);
    tasks.run();
    Runnable secondLeaves = listen(second);
    tasks.run();
    assertThat(samplers.count()).isEqualTo(1);
    assertThat(second.values).containsExactly(2); // at once, and only the newcomer
    beat();
    beat();
    assertThat(first.values).containsExactly(1, 3, 4);
    assertThat(second.values).containsExactly(2, 3, 4);
    firstLeaves.run();
    firstLeaves.run();
    beat();
    assertThat(first.values).containsExactly(1, 3, 4);
    assertThat(second.values).containsExactly(2, 3, 4, 5);
    secondLeaves.run();
    assertNothingIsLeft();
  }

  @Test
  void listen_toAnotherKindOrInterval_hasAReadingOfItsOwn() {
    Heard heard = new Heard();
    Runnable one = listen(heard);
    Runnable kind = samplers.listen("other", INTERVAL, () -> 100, heard);
    Runnable interval = samplers.listen("what", 2 * INTERVAL, () -> 1_000, heard);
    tasks.runWhatIsThere();
    assertThat(samplers.count()).isEqualTo(3);
    assertThat(heard.values).containsExactlyInAnyOrder(1, 100, 1_000);
    one.run();
    kind.run();
    assertThat(samplers.count()).isEqualTo(1);
    time.advanceMillis(500);
    time.advanceMillis(500);
    tasks.run();
    assertThat(heard.values).endsWith(1_000).hasSize(4);
    interval.run();
    assertNothingIsLeft();
  }

  @Test
  void listen_againAfterTheLastLeft_startsAnew() {
    listen(new Heard()).run();
    tasks.run();
    assertThat(readings).as("readings nobody waits for").isZero();
    Heard heard = new Heard();
    Runnable leave = listen(heard);
    tasks.run();
    beat();
    assertThat(heard.values).containsExactly(1, 2);
    leave.run();
    assertNothingIsLeft();
  }

  @Test
  void slowListener_getsTheLatestOnly_andHoldsUpNobody() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Heard slow =
        new Heard() {
          @Override
          public void sampled(Integer value) {
            super.sampled(value);
            stuck.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        };
    Heard fast = new Heard();
    Runnable slowLeaves = listen(slow);
    Thread slowThread = new Thread(tasks.take());
    slowThread.start();
    stuck.await();
    Runnable fastLeaves = listen(fast);
    tasks.run();
    beat();
    beat();
    assertThat(fast.values).containsExactly(2, 3, 4);
    assertThat(slow.values).containsExactly(1);
    assertThat(callbacks.waiting()).as("tasks for one that has one").isZero();
    release.countDown();
    slowThread.join(PatientWaits.patience().toMillis());
    assertThat(slow.values).containsExactly(1, 4);
    tasks.runWhatIsThere(); // a thread that was asked for, and comes too late to do anything
    slowLeaves.run();
    fastLeaves.run();
    assertNothingIsLeft();
  }

  @Test
  void throwingListener_hasLeft_andTheOthersGoOn() {
    Heard good = new Heard();
    Heard bad =
        new Heard() {
          @Override
          public void sampled(Integer value) {
            super.sampled(value);
            throw new IllegalStateException("on purpose");
          }
        };
    listen(bad);
    Runnable leave = listen(good);
    tasks.run();
    beat();
    assertThat(bad.values).containsExactly(1);
    assertThat(good.values).containsExactly(1, 2);
    leave.run();
    assertNothingIsLeft();
    assertThat(bad.ends).isEmpty();
  }

  @Test
  void failingReading_leavesTheNextOneAsItIs() {
    Heard heard = new Heard();
    Runnable leave =
        samplers.listen(
            "what",
            INTERVAL,
            () -> {
              if (++readings == 1) {
                throw new IllegalStateException("on purpose");
              }
              return readings;
            },
            heard);
    tasks.run();
    assertThat(heard.values).isEmpty();
    beat();
    assertThat(heard.values).containsExactly(2);
    leave.run();
    assertNothingIsLeft();
  }

  @Test
  void fullExecutor_beatIsLeftOut_andNothingIsQueued() {
    tasks.full(true);
    Heard heard = new Heard();
    Runnable leave = listen(heard);
    for (int beat = 0; beat < 3; beat++) {
      time.advanceMillis(500);
      awaitTimer();
    }
    assertThat(tasks.size()).isZero();
    assertThat(heard.values).isEmpty();
    tasks.full(false);
    beat();
    assertThat(heard.values).containsExactly(1);
    leave.run();
    assertNothingIsLeft();
  }

  /**
   * The timer's thread has done what was due: it takes the second of these in a later round than
   * the first, with which it takes what is due by now.
   */
  private void awaitTimer() {
    for (int i = 0; i < 2; i++) {
      AtomicBoolean expired = new AtomicBoolean();
      assertThat(
              timer.arm(
                  new Timeout(time.nanoTime()) {
                    @Override
                    protected boolean isEnded() {
                      return expired.get();
                    }

                    @Override
                    protected void expired() {
                      expired.set(true);
                    }
                  }))
          .isTrue();
      await().untilTrue(expired);
    }
  }

  @Test
  void beats_missed_areNotMadeUpFor_andTheRhythmStays() {
    Heard heard = new Heard();
    Runnable leave = listen(heard);
    tasks.run();
    time.advanceMillis(1_800);
    tasks.run();
    assertThat(heard.values).containsExactly(1, 2);
    time.advanceMillis(199);
    assertThat(tasks.size()).isZero();
    time.advanceMillis(1);
    tasks.run();
    assertThat(heard.values).containsExactly(1, 2, 3);
    leave.run();
    assertNothingIsLeft();
  }

  @Test
  void end_reachesEachOnce_andAnyThatComesLater() {
    Heard first = new Heard();
    Heard second = new Heard();
    Runnable leave = listen(first);
    Runnable unused = listen(second);
    tasks.run();
    samplers.end();
    samplers.end();
    tasks.run();
    Heard late = new Heard();
    listen(late).run();
    tasks.run();
    leave.run();
    assertThat(first.ends).hasSize(1);
    assertThat(second.ends).hasSize(1);
    assertThat(late.ends).hasSize(1);
    assertThat(late.values).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void end_withAReadingNotYetDelivered_isDeliveredAfterIt() {
    Heard heard = new Heard();
    Runnable unused = listen(heard);
    tasks.take().run();
    samplers.end();
    tasks.run();
    assertThat(heard.values).containsExactly(1);
    assertThat(heard.ends).hasSize(1);
    assertNothingIsLeft();
  }

  @Test
  void end_withAFullExecutor_isDeliveredAllTheSame() {
    Heard heard = new Heard();
    Runnable unused = listen(heard);
    tasks.run();
    tasks.full(true);
    samplers.end();
    await().until(() -> heard.ends.size() == 1);
    assertThat(heard.ends).doesNotContain(Thread.currentThread().getName());
    assertNothingIsLeft();
  }
}
