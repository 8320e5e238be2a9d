// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimerTest {

  private static final long MILLI = 1_000_000;

  private final WatchedTime watched = new WatchedTime();
  private final ManualTime time = watched.time;
  private final AtomicReference<Thread> thread = new AtomicReference<>();
  private final Timer timer =
      new Timer(
          time,
          watched,
          task -> {
            Thread made = new PlainDaemonThreads("test-timer").newThread(task);
            thread.set(made);
            return made;
          });

  @AfterEach
  void close() {
    timer.close();
    if (thread.get() != null) {
      assertThat(thread.get().isAlive()).isFalse();
    }
  }

  @Test
  void timer_beforeTheFirstArm_hasNoThread() {
    assertThat(thread).hasValue(null);
    assertThat(timer.pending()).isZero();
  }

  @Test
  void arm_expiresAtTheDeadlineAndNotBefore() {
    TestTimeout timeout = armed(100);
    advance(99);
    assertThat(timeout.expiries).hasValue(0);
    advance(1);
    await().until(() -> timeout.expiries.get() == 1);
    assertThat(timeout.expiredOn).isSameAs(thread.get());
    assertThat(thread.get().isDaemon()).isTrue();
  }

  @Test
  void arm_deadlineAlreadyPast_expiresWithoutTimeMoving() {
    TestTimeout timeout = armed(-5);
    await().until(() -> timeout.expiries.get() == 1);
  }

  @Test
  void arm_earlierThanTheSleepingDeadline_wakesTheThread() {
    TestTimeout later = armed(8);
    awaitAsleep();
    TestTimeout earlier = armed(2);
    advance(2);
    await().until(() -> earlier.expiries.get() == 1);
    assertThat(later.expiries).hasValue(0);
    advance(6);
    await().until(() -> later.expiries.get() == 1);
  }

  @Test
  void arm_afterTheThreadSleepsForGood_wakesIt() {
    TestTimeout first = armed(1);
    advance(1);
    await().until(() -> first.expiries.get() == 1);
    advance(10);
    await().until(watched::isAsleepForGood);
    TestTimeout second = armed(1);
    advance(1);
    await().until(() -> second.expiries.get() == 1);
  }

  /** Most calls have a far deadline and end long before it: to begin one must wake no thread. */
  @Test
  void arm_laterThanTheNextRound_wakesNobody() {
    armed(1_000);
    awaitAsleep();
    int before = watched.wakeUps();
    armed(2_000);
    assertThat(watched.wakeUps()).isEqualTo(before);
    assertThat(timer.pending()).as("one in the heap, one on its way there").isEqualTo(2);
    armed(5);
    assertThat(watched.wakeUps()).isEqualTo(before + 1);
  }

  /** It finds the thread awake, and so does not wake it. */
  @Test
  void arm_whileTheThreadIsAboutToSleepForGood_isMetAtItsDeadline() {
    AtomicReference<Runnable> before = new AtomicReference<>();
    Timer sleepy = sleepy(before);
    TestTimeout first = new TestTimeout(time.nanoTime() + MILLI);
    assertThat(sleepy.arm(first)).isTrue();
    advance(1);
    await().until(() -> first.expiries.get() == 1);
    advance(10);
    await().until(watched::isAsleepForGood);

    TestTimeout late = new TestTimeout(time.nanoTime() + 5 * MILLI);
    AtomicBoolean armed = new AtomicBoolean();
    before.set(() -> armed.set(sleepy.armWithoutThread(late)));
    watched.wake(thread.get()); // for no reason, which is allowed
    await().untilTrue(armed);
    advance(5);

    await().until(() -> late.expiries.get() == 1);
    sleepy.close();
  }

  @Test
  void arm_whileTheThreadIsAboutToSleepUntilItsNextRound_isMetAtItsDeadline() {
    AtomicReference<Runnable> before = new AtomicReference<>();
    Timer sleepy = sleepy(before);
    assertThat(sleepy.arm(new TestTimeout(time.nanoTime() + 1_000 * MILLI))).isTrue();
    advance(10);
    awaitAsleep();

    TestTimeout late = new TestTimeout(time.nanoTime() + (10 + 2) * MILLI);
    AtomicBoolean armed = new AtomicBoolean();
    before.set(() -> armed.set(sleepy.armWithoutThread(late)));
    advance(10);
    await().untilTrue(armed);
    advance(2);

    await().until(() -> late.expiries.get() == 1);
    sleepy.close();
  }

  /**
   * Does something once when its thread has emptied the stacks, and before it has said until when
   * it sleeps: it reads the time in between.
   */
  private Timer sleepy(AtomicReference<Runnable> before) {
    return new Timer(
        () -> {
          Runnable now = Thread.currentThread() == thread.get() ? before.getAndSet(null) : null;
          if (now != null) {
            now.run();
          }
          return time.nanoTime();
        },
        watched,
        task -> {
          Thread made = new PlainDaemonThreads("sleepy-timer").newThread(task);
          thread.set(made);
          return made;
        });
  }

  @Test
  void arm_byTwoThreadsAtFirst_startsOneThread() throws Exception {
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger made = new AtomicInteger();
    Timer slow =
        new Timer(
            time,
            time,
            task -> {
              made.incrementAndGet();
              making.countDown();
              Uninterruptibly.await(goOn);
              return new PlainDaemonThreads("slow-timer").newThread(task);
            });
    Runnable arming = () -> slow.arm(new TestTimeout(time.nanoTime() + MILLI));
    Thread first = Elsewhere.start(arming);
    Uninterruptibly.await(making);
    Thread second = Elsewhere.start(arming);
    await().until(() -> second.getState() == Thread.State.BLOCKED); // by the start under way
    goOn.countDown();
    first.join();
    second.join();

    assertThat(made).hasValue(1);
    assertThat(slow.close()).hasSize(2);
  }

  @Test
  void arm_inAnyOrder_expiresInTheOrderOfDeadlines() {
    List<Integer> order = new ArrayList<>();
    for (int millis : new int[] {70, 10, 90, 30, 50}) {
      arm(
          new TestTimeout(time.nanoTime() + millis * MILLI) {
            @Override
            protected void expired() {
              order.add(millis);
              super.expired();
            }
          });
    }
    TestTimeout last = armed(100);
    awaitAsleep();
    advance(100);
    await().until(() -> last.expiries.get() == 1);
    assertThat(order).containsExactly(10, 30, 50, 70, 90);
  }

  @Test
  void ended_beforeTheDeadline_neverExpiresAndIsDropped() {
    TestTimeout timeout = armed(100);
    awaitAsleep();
    timeout.ended = true;
    advance(10);
    await().until(() -> timer.pending() == 0);
    advance(200);
    awaitAsleep();
    assertThat(timeout.expiries).hasValue(0);
  }

  @Test
  void ended_aMillionArmedAndDisarmed_leaveNothingBehind() {
    int most = 0;
    for (int i = 0; i < 1_000_000; i++) {
      TestTimeout timeout = new TestTimeout(time.nanoTime() + 3_600_000 * MILLI);
      arm(timeout);
      timeout.ended = true;
      if (i % 100_000 == 0) {
        advance(10);
        awaitAsleep();
        most = Math.max(most, timer.pending());
      }
    }
    advance(10);
    awaitAsleep();
    assertThat(timer.pending()).isZero();
    assertThat(most).isLessThan(2);
  }

  @Test
  void ended_afterTheDrain_isSweptLongBeforeItsDeadline() {
    List<TestTimeout> all = IntStream.range(0, 100_000).mapToObj(i -> armed(3_600_000)).toList();
    TestTimeout live = armed(3_600_000);
    awaitAsleep();
    advance(10);
    awaitAsleep();
    assertThat(timer.pending()).isEqualTo(100_001);
    all.forEach(timeout -> timeout.ended = true);
    for (int tick = 0; tick < 5; tick++) {
      advance(10);
      awaitAsleep();
    }
    assertThat(timer.pending()).isEqualTo(1);
    assertThat(live.expiries).hasValue(0);
  }

  @Test
  void expired_thatThrows_doesNotStopTheOthers() {
    arm(
        new TestTimeout(time.nanoTime() + MILLI) {
          @Override
          protected void expired() {
            throw new AssertionError("a time-out that fails on purpose");
          }
        });
    TestTimeout other = armed(1);
    TestTimeout later = armed(20);
    advance(1);
    await().until(() -> other.expiries.get() == 1);
    advance(19);
    await().until(() -> later.expiries.get() == 1);
  }

  /** Tried again until it has ended, and the failures are for others to log. */
  @Test
  void expired_thatThrows_isTriedAgainUntilItHasEnded() {
    List<String> reports = new CopyOnWriteArrayList<>();
    List<Thread> reportedOn = new CopyOnWriteArrayList<>();
    timer.reportFailures(
        (what, thrown) -> {
          reports.add(what + ": " + thrown.getMessage());
          reportedOn.add(Thread.currentThread());
          throw new IllegalStateException("a report that fails on purpose");
        });
    AtomicInteger tries = new AtomicInteger();
    TestTimeout poor =
        new TestTimeout(time.nanoTime() + MILLI) {
          @Override
          protected void expired() {
            if (tries.incrementAndGet() < 4) {
              throw new OutOfMemoryError("thrown on purpose");
            }
            super.expired();
          }
        };
    arm(poor);
    for (int round = 0; round < 4; round++) {
      assertThat(poor.expiries).hasValue(0);
      int before = tries.get();
      advance(10);
      await().until(() -> tries.get() > before);
    }
    await().until(() -> poor.expiries.get() == 1);
    assertThat(tries).hasValue(4);
    assertThat(reports).hasSize(3).containsOnly("a time-out failed to expire: thrown on purpose");
    assertThat(reportedOn).containsOnly(thread.get());
    advance(10);
    awaitAsleep();
    assertThat(tries).hasValue(4);
    assertThat(timer.pending()).isZero();
  }

  @Test
  void expired_thatThrowsOnceItHasEnded_isNotTriedAgain() {
    AtomicInteger tries = new AtomicInteger();
    arm(
        new TestTimeout(time.nanoTime() + MILLI) {
          @Override
          protected void expired() {
            super.expired();
            tries.incrementAndGet();
            throw new AssertionError("on purpose");
          }
        });
    for (int round = 0; round < 3; round++) {
      advance(10);
      awaitAsleep();
    }
    assertThat(tries).hasValue(1);
  }

  @Test
  void close_returnsWhatFailedToExpire() {
    AtomicInteger tries = new AtomicInteger();
    TestTimeout poor =
        new TestTimeout(time.nanoTime() + MILLI) {
          @Override
          protected void expired() {
            tries.incrementAndGet();
            throw new OutOfMemoryError("thrown on purpose");
          }
        };
    arm(poor);
    advance(10);
    await().until(() -> tries.get() > 0);
    awaitAsleep();
    assertThat(timer.close()).containsExactly(poor);
  }

  @Test
  void round_thatFails_losesNoDeadline() {
    TestTimeout poisoned =
        new TestTimeout(time.nanoTime() + 5 * MILLI) {
          private boolean thrown;

          @Override
          protected boolean isEnded() {
            if (!thrown && Thread.currentThread() == thread.get()) {
              thrown = true;
              throw new OutOfMemoryError("thrown on purpose");
            }
            return super.isEnded();
          }
        };
    arm(poisoned);
    TestTimeout other = armed(5);
    advance(10);
    advance(10);
    await().until(() -> poisoned.expiries.get() == 1 && other.expiries.get() == 1);
  }

  /** Else a clock or a node that always fails would keep a processor busy, and say nothing. */
  @Test
  void round_thatFails_isReported_andTheNextOneWaits() {
    List<String> reports = new CopyOnWriteArrayList<>();
    timer.reportFailures((what, thrown) -> reports.add(what + ": " + thrown.getMessage()));
    armed(1_000);
    awaitAsleep(); // so that it is woken once by what follows
    arm(
        new TestTimeout(time.nanoTime() + 5 * MILLI) {
          @Override
          protected boolean isEnded() {
            if (Thread.currentThread() == thread.get()) {
              throw new OutOfMemoryError("thrown on purpose");
            }
            return super.isEnded();
          }
        });
    await().until(() -> !reports.isEmpty());
    awaitAsleep();
    assertThat(reports)
        .containsExactly(
            "a round of the timer failed, the next one is in 10 ms: thrown on purpose");
    advance(10);
    await().until(() -> reports.size() > 1);
    awaitAsleep();
    assertThat(reports).hasSize(2);
  }

  @Test
  void interrupt_ofTheTimerThread_isSwallowed() {
    TestTimeout timeout = armed(30);
    awaitAsleep();
    thread.get().interrupt();
    await().until(() -> !thread.get().isInterrupted());
    advance(30);
    await().until(() -> timeout.expiries.get() == 1);
  }

  @Test
  void close_returnsThoseThatHaveNotEnded() {
    TestTimeout inHeap = armed(1_000);
    TestTimeout endedInHeap = armed(1_000);
    awaitAsleep();
    advance(10);
    awaitAsleep();
    TestTimeout incoming = armed(2_000);
    endedInHeap.ended = true;
    assertThat(timer.close()).containsExactlyInAnyOrder(inHeap, incoming);
    assertThat(timer.close()).isEmpty();
    time.advanceMillis(5_000);
    assertThat(inHeap.expiries).hasValue(0);
  }

  /** They were taken from the stacks, and there was no memory to keep them elsewhere. */
  @Test
  void close_afterARoundThatFailed_returnsWhatThatHadInHand() {
    List<Throwable> reports = new CopyOnWriteArrayList<>();
    timer.reportFailures((what, thrown) -> reports.add(thrown));
    TestTimeout inHeap = armed(1_000);
    awaitAsleep();
    TestTimeout below = armed(2_000);
    TestTimeout poor =
        new TestTimeout(time.nanoTime() + 5 * MILLI) {
          @Override
          protected boolean isEnded() {
            if (Thread.currentThread() == thread.get()) {
              throw new OutOfMemoryError("thrown on purpose");
            }
            return super.isEnded();
          }
        };
    arm(poor);
    await().until(() -> !reports.isEmpty());
    awaitAsleep();

    assertThat(timer.close()).containsExactlyInAnyOrder(inHeap, below, poor);
  }

  /** Closing waits for the one that expires at that moment, and for none after it. */
  @Test
  void close_whileOneOfSeveralExpires_returnsTheOthers() throws Exception {
    CountDownLatch inExpired = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    arm(
        new TestTimeout(time.nanoTime() + MILLI) {
          @Override
          protected void expired() {
            super.expired();
            inExpired.countDown();
            Uninterruptibly.await(goOn);
          }
        });
    TestTimeout dueToo = armed(2);
    advance(5);
    Uninterruptibly.await(inExpired);
    AtomicReference<ClosedTimeouts> left = new AtomicReference<>();
    Thread closer = Elsewhere.start(() -> left.set(timer.close()));
    await().until(() -> closer.getState() == Thread.State.WAITING);
    goOn.countDown();
    closer.join();

    assertThat(left.get()).containsExactly(dueToo);
    assertThat(dueToo.expiries).hasValue(0);
  }

  @Test
  void close_byAnInterruptedThread_waitsAllTheSame_andKeepsTheFlag() {
    TestTimeout armed = armed(1_000);
    awaitAsleep();
    Thread.currentThread().interrupt();
    ClosedTimeouts left = timer.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(thread.get().isAlive()).isFalse();
    assertThat(left).containsExactly(armed);
  }

  @Test
  void close_always_leavesTheFlagOfItsThreadAlone() {
    armed(1_000);
    assertThat(timer.close()).hasSize(1);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void close_byTheTimerThread_doesNotWaitForItself() {
    AtomicReference<ClosedTimeouts> left = new AtomicReference<>();
    arm(
        new TestTimeout(time.nanoTime() + MILLI) {
          @Override
          protected void expired() {
            super.expired();
            left.set(timer.close());
          }
        });
    TestTimeout dueToo = armed(1);
    awaitAsleep();
    advance(1);
    await().until(() -> left.get() != null);
    await().until(() -> !thread.get().isAlive());
    assertThat(left.get()).hasSize(1 - dueToo.expiries.get());
  }

  @Test
  void close_byTheTimerThreadWhileAnotherCloseWaitsForIt_returnsAtOnce() throws Exception {
    CountDownLatch inExpired = new CountDownLatch(1);
    AtomicReference<Thread> closer = new AtomicReference<>();
    AtomicReference<ClosedTimeouts> second = new AtomicReference<>();
    arm(
        new TestTimeout(time.nanoTime()) {
          @Override
          protected void expired() {
            super.expired();
            inExpired.countDown();
            await()
                .until(
                    () -> closer.get() != null && closer.get().getState() == Thread.State.WAITING);
            second.set(timer.close());
          }
        });
    assertThat(inExpired.await(PatientWaits.seconds(), TimeUnit.SECONDS)).isTrue();
    closer.set(new Thread(timer::close));
    closer.get().start();
    closer.get().join(PatientWaits.patience().toMillis());
    assertThat(closer.get().isAlive()).isFalse();
    assertThat(second.get()).isEmpty();
  }

  @Test
  void arm_afterClose_notifiesTheOwner() {
    TestTimeout first = armed(5);
    assertThat(timer.close()).containsExactly(first);
    TestTimeout late = new TestTimeout(time.nanoTime());
    assertThat(timer.arm(late)).isFalse();
    assertThat(timer.pending()).isZero();
    assertThat(late.expiries).hasValue(0);
  }

  @Test
  void close_takesNoMemoryHoweverManyThereAre() {
    for (int i = 0; i < 20; i++) { // what takes memory once
      filled(time, 100).close();
    }
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) { // the JVM has noise of its own
      Timer full = filled(time, 10_000);
      long before = allocated();
      ClosedTimeouts left = full.close();
      least = Math.min(least, allocated() - before);
      assertThat(left).hasSize(10_000);
    }
    assertThat(least).isLessThan(10_000); // a list of them would take four times that
  }

  private static Timer filled(ManualTime time, int nodes) {
    Timer filled = new Timer(time, time, new PlainDaemonThreads("filled-timer"));
    for (int i = 0; i < nodes; i++) {
      assertThat(filled.arm(new TestTimeout(time.nanoTime() + i + 1_000_000_000_000L))).isTrue();
    }
    return filled;
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** As closing does: each of them has its turn, whatever the others throw. */
  @Test
  void end_ofThoseThatAreLeft_isTriedAgainForThoseThatThrow() {
    List<Integer> closings = new ArrayList<>();
    int[] tried = new int[10];
    for (int i = 0; i < 10; i++) {
      int number = i;
      arm(
          new TestTimeout(time.nanoTime() + 1_000 * MILLI) {
            @Override
            public void closed() {
              assertThat(timer.arm(this)).isFalse(); // as some do, which changes nothing here
              if (++tried[number] <= number % 3) {
                throw new OutOfMemoryError("on purpose");
              }
              closings.add(number);
            }
          });
    }
    List<Throwable> reported = new ArrayList<>();
    ClosedTimeouts left = timer.close();

    assertThat(left.end((what, thrown) -> reported.add(thrown))).isFalse();
    assertThat(closings).containsExactlyInAnyOrder(0, 3, 6, 9);
    assertThat(left.end((what, thrown) -> reported.add(thrown))).isFalse();
    assertThat(left.end((what, thrown) -> reported.add(thrown))).isTrue();

    assertThat(closings).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(reported).hasSize(9);
    assertThat(left).isEmpty();
  }

  // Without a thread.

  private final AtomicBoolean noThread = new AtomicBoolean();

  private Timer poor() {
    return new Timer(
        time,
        time,
        task -> {
          if (noThread.get()) {
            throw new OutOfMemoryError("no thread, on purpose");
          }
          return new PlainDaemonThreads("poor-timer").newThread(task);
        });
  }

  @Test
  void armInAnyCase_withoutAThread_expiresOnceTheNextHasFoundOne() {
    Timer poor = poor();
    noThread.set(true);
    TestTimeout first = new TestTimeout(time.nanoTime() + MILLI);
    assertThat(poor.armInAnyCase(first)).isTrue();
    TestTimeout refused = new TestTimeout(time.nanoTime() + MILLI);
    assertThatThrownBy(() -> poor.arm(refused)).isInstanceOf(OutOfMemoryError.class);
    noThread.set(false);

    assertThat(poor.arm(new TestTimeout(time.nanoTime() + 1_000 * MILLI))).isTrue();

    await()
        .until(
            () -> {
              time.advanceMillis(10);
              return first.expiries.get() == 1;
            });
    assertThat(refused.expiries).hasValue(0);
    poor.close();
  }

  @Test
  void armInAnyCase_withoutAThread_isReported() {
    List<String> reports = new CopyOnWriteArrayList<>();
    Timer poor = poor();
    poor.reportFailures((what, thrown) -> reports.add(what + ": " + thrown.getMessage()));
    noThread.set(true);

    assertThat(poor.armInAnyCase(new TestTimeout(time.nanoTime() + MILLI))).isTrue();

    assertThat(reports)
        .containsExactly(
            "the timer has no thread, and gets one with the next time-out: no thread, on purpose");
    assertThat(poor.close()).hasSize(1);
  }

  @Test
  void armInAnyCase_withoutAThread_isAmongThoseThatClosingEnds() {
    Timer poor = poor();
    noThread.set(true);
    TestTimeout armed = new TestTimeout(time.nanoTime() + MILLI);
    assertThat(poor.armInAnyCase(armed)).isTrue();

    assertThat(poor.close()).containsExactly(armed);
    assertThat(poor.armInAnyCase(new TestTimeout(time.nanoTime()))).isFalse();
  }

  @Test
  void arm_onATimerClosedUnused_startsNoThread() {
    assertThat(timer.close()).isEmpty();
    assertThat(timer.arm(new TestTimeout(time.nanoTime()))).isFalse();
    assertThat(thread).hasValue(null);
  }

  @Test
  void arm_whenNoThreadCanBeStarted_saysSoAndTriesAgainNextTime() {
    AtomicReference<Thread> started = new AtomicReference<>();
    boolean[] failing = {true};
    Timer poor =
        new Timer(
            time,
            time,
            task ->
                new Thread(task) {
                  @Override
                  public synchronized void start() {
                    if (failing[0]) {
                      throw new OutOfMemoryError("no thread, on purpose");
                    }
                    started.set(this);
                    super.start();
                  }
                });
    TestTimeout timeout = new TestTimeout(time.nanoTime());
    assertThatThrownBy(() -> poor.arm(timeout)).isInstanceOf(OutOfMemoryError.class);
    assertThat(poor.pending()).isZero();
    failing[0] = false;
    assertThat(poor.arm(timeout)).isTrue();
    await().until(() -> timeout.expiries.get() == 1);
    poor.close();
    assertThat(started.get().isAlive()).isFalse();
  }

  /**
   * Another thread, which found none to start, arms when the first one has already gone to sleep,
   * and its starter has not come back.
   */
  @Test
  void armWithoutThread_whileTheThreadStarts_wakesIt() {
    AtomicReference<Timer> starting = new AtomicReference<>();
    TestTimeout first = new TestTimeout(time.nanoTime() + MILLI);
    starting.set(
        new Timer(
            time,
            watched,
            task ->
                new Thread(task, "starting-timer") {
                  @Override
                  public void start() {
                    super.start();
                    await().until(watched::isAsleepForGood);
                    assertThat(starting.get().armWithoutThread(first)).isTrue();
                  }
                }));
    TestTimeout second = new TestTimeout(time.nanoTime() + MILLI);
    assertThat(starting.get().arm(second)).isTrue();

    advance(1);

    await().until(() -> first.expiries.get() == 1 && second.expiries.get() == 1);
    starting.get().close();
  }

  private TestTimeout armed(long inMillis) {
    return arm(new TestTimeout(time.nanoTime() + inMillis * MILLI));
  }

  private TestTimeout arm(TestTimeout timeout) {
    assertThat(timer.arm(timeout)).isTrue();
    return timeout;
  }

  private void advance(long millis) {
    awaitAsleep();
    time.advanceMillis(millis);
  }

  private void awaitAsleep() {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofNanos(100_000))
        .until(watched::isAsleep);
  }
}
