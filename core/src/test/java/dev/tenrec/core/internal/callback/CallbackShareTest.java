// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.kit.InterludeTime;
import dev.tenrec.core.kit.Uninterruptibly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallbackShareTest {

  private final CallbackThreads threads = new CallbackThreads();

  /** Read while threads add to it: a failed look at it waits for the next. */
  private final List<Integer> ran = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() throws InterruptedException {
    threads.close();
  }

  private CallbackTask task(int number) {
    return CallbackTask.of(() -> ran.add(number));
  }

  private void awaitRan(int count) {
    await().untilAsserted(() -> assertThat(ran).hasSize(count));
  }

  // Order, and what tasks do.

  /** A task that waits for a thread learns by this number that the share is busy, not blocked. */
  @Test
  void begun_withEachTaskThatBegins_rises() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    assertThat(share.begun()).isZero();
    threads.blockNow(share);
    share.execute(task(1));
    assertThat(share.begun()).isOne();
    threads.release.countDown();
    awaitRan(1);
    assertThat(share.begun()).isEqualTo(2);
  }

  @Test
  void execute_many_beginInTheOrderTheyCame() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    threads.blockNow(share);
    for (int i = 0; i < 1_000; i++) {
      share.execute(task(i));
    }
    assertThat(share.waiting()).isEqualTo(1_000);
    threads.release.countDown();
    awaitRan(1_000);
    assertThat(ran).isSorted();
    assertThat(threads.made).hasSize(1);
  }

  @Test
  void task_thatThrows_keepsNoOtherFromItsTurn() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    CountDownLatch blocked = threads.block(share);
    share.execute(
        CallbackTask.of(
            () -> {
              throw new AssertionError("a callback that fails on purpose");
            }));
    share.execute(task(1));
    CallbackThreads.awaitBegun(blocked);
    threads.release.countDown();
    awaitRan(1);
    assertThat(threads.made).hasSize(1);
  }

  @Test
  void interrupt_thatOneTaskLeaves_doesNotReachTheNext() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    AtomicReference<Boolean> seen = new AtomicReference<>();
    AtomicReference<Thread> first = new AtomicReference<>();
    AtomicReference<Thread> second = new AtomicReference<>();
    threads.blockNow(share);
    share.execute(
        CallbackTask.of(
            () -> {
              first.set(Thread.currentThread());
              Thread.currentThread().interrupt();
            }));
    share.execute(
        CallbackTask.of(
            () -> {
              second.set(Thread.currentThread());
              seen.set(Thread.currentThread().isInterrupted());
            }));
    threads.release.countDown();
    await().until(() -> seen.get() != null);
    assertThat(second).hasValue(first.get());
    assertThat(seen).hasValue(false);
  }

  // How many threads.

  @Test
  void share_idle_givesItsThreadsBack() {
    CallbackExecutor executor = threads.bounded(2, 0);
    CallbackShare share = executor.newShare("Subject");
    for (int round = 0; round < 20; round++) { // more often than there are extras
      CountDownLatch both = new CountDownLatch(2);
      for (int i = 0; i < 2; i++) {
        share.execute(
            CallbackTask.of(
                () -> {
                  both.countDown();
                  CallbackThreads.awaitBegun(both); // so each needs a thread
                }));
      }
      CallbackThreads.awaitBegun(both);
      await().until(() -> share.threads() == 0);
    }
    assertThat(share.waiting()).isZero();
  }

  @Test
  void share_blocked_holdsUpNoOther() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare blocked = executor.newShare("Blocked");
    threads.blockNow(blocked);
    blocked.execute(task(-1));
    for (int i = 0; i < 50; i++) {
      executor.newShare("Other").execute(task(i));
    }
    awaitRan(50);
    assertThat(ran).doesNotContain(-1);
    assertThat(blocked.waiting()).isEqualTo(1);
  }

  /** One share may take half of the extras; every other one has its first thread all the same. */
  @Test
  void threads_beyondTheFirst_areBoundedOverAllShares() {
    CallbackExecutor executor = threads.bounded(4, 0);
    CallbackShare greedy = executor.newShare("Greedy");
    for (int i = 0; i < 10; i++) {
      CountDownLatch unused = threads.block(greedy);
    }
    await().until(() -> greedy.waiting() == 7);
    assertThat(greedy.threads()).isEqualTo(3);

    CallbackShare second = executor.newShare("Second"); // two extras are left
    for (int i = 0; i < 10; i++) {
      CountDownLatch unused = threads.block(second);
    }
    await().until(() -> second.waiting() == 7);
    assertThat(second.threads()).isEqualTo(3);

    CallbackShare third = executor.newShare("Third"); // none is
    threads.blockNow(third);
    third.execute(task(1));
    assertThat(third.threads()).isEqualTo(1);
    assertThat(third.waiting()).isEqualTo(1);
    assertThat(threads.made).hasSize(7);

    threads.release.countDown();
    awaitRan(1);
    await().until(() -> greedy.threads() + second.threads() + third.threads() == 0);
  }

  /** The first thread has done the task that the second was asked for; the second does the next. */
  @Test
  void execute_whileAThreadIsOnItsWayForNothing_asksForNoOther() {
    CallbackShare share = threads.bounded(4, 0).newShare("Subject");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    share.execute(
        CallbackTask.of(
            () -> {
              begun.countDown();
              Uninterruptibly.await(goOn);
            }));
    CallbackThreads.awaitBegun(begun);
    threads.beginningLate = true;
    share.execute(task(1));
    assertThat(share.threads()).isEqualTo(2);
    goOn.countDown();
    awaitRan(1);
    await().until(() -> share.threads() == 1);
    share.execute(task(2));
    assertThat(share.threads()).isOne();
    assertThat(ran).containsExactly(1);
    threads.release.countDown();
    awaitRan(2);
    assertThat(threads.made).hasSize(2);
  }

  /** Two shares may ask for the last one at the same time. */
  @Test
  void takeExtra_whenNoneIsLeft_isRefused() {
    CallbackExecutor executor = threads.bounded(2, 0);
    assertThat(executor.takeExtra(false)).isTrue();
    assertThat(executor.takeExtra(false)).isTrue();
    assertThat(executor.takeExtra(false)).isFalse();
    executor.giveExtra();
    assertThat(executor.takeExtra(false)).isTrue();
  }

  @Test
  void isBlocked_isTrueOnlyWhileNoThreadCanCome() {
    CallbackShare share = threads.bounded(2, 0).newShare("Subject");
    assertThat(share.isBlocked()).isFalse();
    threads.blockNow(share);
    assertThat(share.isBlocked()).as("a second may start").isFalse();
    threads.blockNow(share);
    assertThat(share.isBlocked()).isTrue();
    threads.release.countDown();
    await().until(() -> !share.isBlocked());
  }

  @Test
  void isBlocked_afterTasksThatEnded_isTrueAllTheSame() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    share.execute(task(1));
    awaitRan(1);
    await().until(() -> share.threads() == 0);
    threads.blockNow(share);
    assertThat(share.isBlocked()).isTrue();
  }

  @Test
  void isBlocked_whileItsThreadHasNotBegun_isFalse() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    threads.beginningLate = true;
    share.execute(task(1));
    assertThat(share.threads()).isOne();
    assertThat(share.isBlocked()).isFalse();
  }

  /** Of its own bound there is room; but the others have taken all there are. */
  @Test
  void share_whoseExtrasOthersHave_isBlockedAndRefusesWhatMayBeLeftOut() {
    CallbackExecutor executor = threads.bounded(2, 0);
    for (int i = 0; i < 2; i++) { // each takes one extra
      CallbackShare other = executor.newShare("Other" + i);
      threads.blockNow(other);
      threads.blockNow(other);
    }
    CallbackShare share = executor.newShare("Subject");
    threads.blockNow(share);
    assertThat(share.isBlocked()).isTrue();
    assertThat(share.offer(task(1))).isFalse();
    assertThat(share.waiting()).isZero();
  }

  // What may be left out.

  @Test
  void offer_whenTooManyWait_isRefused() {
    CallbackShare share = threads.bounded(1, 2).newShare("Subject");
    threads.blockNow(share);
    assertThat(share.offer(task(1))).isTrue();
    assertThat(share.offer(task(2))).isTrue();
    assertThat(share.offer(task(3))).isFalse();
    share.execute(task(4)); // may not be left out
    assertThat(share.offer(task(5))).isFalse();
    assertThat(share.waiting()).isEqualTo(3);
    threads.release.countDown();
    awaitRan(3);
    assertThat(ran).containsExactly(1, 2, 4);
    await().until(() -> share.threads() == 0);
    assertThat(share.offer(task(6))).isTrue();
    awaitRan(4);
  }

  @Test
  void offer_withoutAQueue_isTakenWhileThereIsAThread() {
    CallbackShare share = threads.bounded(2, 0).newShare("Subject");
    CountDownLatch begun = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      assertThat(
              share.offer(
                  CallbackTask.of(
                      () -> {
                        begun.countDown();
                        CallbackThreads.awaitBegun(threads.release);
                      })))
          .isTrue();
    }
    CallbackThreads.awaitBegun(begun);
    assertThat(share.offer(task(1))).isFalse();
    assertThat(ran).isEmpty();
  }

  /** A task for which a thread was asked does not wait behind others. */
  @Test
  void offer_whileAThreadHasNotBegun_countsOnlyWhatNoThreadComesFor() {
    CallbackShare share = threads.bounded(1, 1).newShare("Subject");
    threads.beginningLate = true;
    assertThat(share.offer(task(1))).isTrue();
    assertThat(share.offer(task(2))).isTrue();
    assertThat(share.offer(task(3))).isFalse();
    threads.release.countDown();
    awaitRan(2);
    assertThat(ran).containsExactly(1, 2);
  }

  // When the system has no thread.

  @Test
  void execute_withoutAThreadToBeHad_isTriedAgainByTheTimer() {
    CallbackShare share = threads.bounded(2, 0).newShare("Subject");
    threads.failing(true);
    share.execute(task(1));
    share.execute(task(2));
    assertThat(share.waiting()).isEqualTo(2);
    int failures = threads.failures.get();
    await()
        .until(
            () -> { // it goes on trying
              threads.time.advanceMillis(50);
              return threads.failures.get() > failures + 3;
            });
    assertThat(ran).isEmpty();
    threads.failing(false);
    await()
        .untilAsserted(
            () -> {
              threads.time.advanceMillis(50);
              assertThat(ran).containsExactly(1, 2);
            });
  }

  /** What has no threads has no processor to spare either. */
  @Test
  void execute_withoutAThreadToBeHad_isTriedAgainAfterItsPatienceAndNotBefore() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    threads.failing(true);
    share.execute(task(1));
    assertThat(threads.failures).hasValue(1);
    await().until(() -> threads.time.waiting().size() == 1); // the timer's thread
    threads.time.advanceMillis(49);
    await().until(() -> threads.time.waiting().size() == 1);
    assertThat(threads.failures).hasValue(1);
    threads.time.advanceMillis(1);
    await().until(() -> threads.failures.get() == 2);
  }

  /** The timer has the next try already: to put that off would put the timer's order out. */
  @Test
  void execute_withoutAThreadToBeHad_whileATryIsToCome_leavesTheTimersOthersTheirTime() {
    CallbackExecutor executor = threads.bounded(1, 0);
    threads.failing(true);
    executor.newShare("First").execute(task(1));
    CountDownLatch expired = new CountDownLatch(1);
    assertThat(threads.timer.arm(in(Duration.ofMillis(60), expired::countDown))).isTrue();
    await().until(() -> threads.time.waiting().size() == 1); // the timer's thread
    threads.time.advanceMillis(40);
    await().until(() -> threads.time.waiting().size() == 1);
    executor.newShare("Second").execute(task(2));
    threads.time.advanceMillis(20);
    CallbackThreads.awaitBegun(expired);
    threads.failing(false);
    awaitInTime(1, 2);
  }

  @Test
  void execute_withoutAThreadToBeHad_isTriedAgainWithTheNextTask() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    threads.failing(true);
    share.execute(task(1));
    threads.failing(false);
    share.execute(task(2));
    awaitRan(2);
    assertThat(ran).containsExactly(1, 2);
  }

  @Test
  void execute_withoutAThreadToBeHad_beginsWhenAnotherShareGetsOne() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare poor = executor.newShare("Poor");
    threads.failing(true);
    poor.execute(task(1));
    threads.failing(false);
    executor.newShare("Other").execute(task(2));
    awaitRan(2);
  }

  @Test
  void offer_withoutAThreadToBeHad_isRefusedAndNotRunLater() {
    CallbackShare share = threads.bounded(1, 5).newShare("Subject");
    threads.failing(true);
    assertThat(share.offer(task(1))).isFalse();
    assertThat(share.waiting()).isZero();
    threads.failing(false);
    share.execute(task(2));
    awaitRan(1);
    assertThat(ran).containsExactly(2);
  }

  /** A second thread cannot be had: the first one goes on alone. */
  @Test
  void execute_withoutASecondThread_waitsForTheFirst() {
    CallbackShare share = threads.bounded(5, 0).newShare("Subject");
    threads.blockNow(share);
    threads.failing(true);
    share.execute(task(1));
    assertThat(share.threads()).isEqualTo(1);
    assertThat(share.waiting()).isEqualTo(1);
    threads.release.countDown();
    awaitRan(1);
    assertThat(threads.made).hasSize(1);
  }

  @Test
  void offer_withoutASecondThread_waitsForTheFirst() {
    CallbackShare share = threads.bounded(2, 1).newShare("Subject");
    threads.blockNow(share);
    threads.failing(true);
    assertThat(share.offer(task(1))).isTrue();
    assertThat(share.waiting()).isOne();
    threads.release.countDown();
    awaitRan(1);
  }

  @Test
  void execute_afterSecondThreadsThatCouldNotBeHad_getsOneOnceThereIs() {
    CallbackShare share = threads.bounded(2, 0).newShare("Subject");
    threads.blockNow(share);
    threads.failing(true);
    for (int i = 0; i < 5; i++) { // more often than there are extras
      share.execute(task(i));
    }
    threads.failing(false);
    share.execute(task(5));
    awaitRan(6); // while the first thread is blocked
    assertThat(ran).isSorted();
  }

  /** The first of a share is none of those that all shares have together. */
  @Test
  void threads_beyondTheFirst_afterFirstOnesThatLeftOrCouldNotBeHad_areNoMoreThanBefore() {
    CallbackExecutor executor = threads.bounded(2, 0);
    CallbackShare plain = executor.newShare("Plain");
    plain.execute(task(6));
    await().until(() -> ran.size() == 1 && plain.threads() == 0);
    threads.failing(true);
    CallbackShare poor = executor.newShare("Poor");
    for (int i = 0; i < 5; i++) {
      poor.execute(task(i));
    }
    threads.failing(false);
    poor.execute(task(5));
    awaitRan(7);
    await().until(() -> poor.threads() == 0);
    for (int i = 0; i < 3; i++) {
      CallbackShare share = executor.newShare("Share" + i);
      threads.blockNow(share);
      CountDownLatch unused = threads.block(share);
      assertThat(share.threads()).isEqualTo(i < 2 ? 2 : 1);
    }
  }

  /** There is not even the memory to ask for a thread. */
  @Test
  void execute_withoutMemoryForARunner_isTriedAgainByTheTimer() {
    InterludeTime clock = new InterludeTime(threads.time);
    CallbackShare share = threads.bounded(1, 0, clock).newShare("Subject");
    clock.atMyNextReading(
        () -> {
          throw new OutOfMemoryError("of the test");
        });
    share.execute(task(1));
    assertThat(share.threads()).isZero();
    assertThat(share.waiting()).isOne();
    awaitInTime(1);
  }

  // When there is no memory for what a task does.

  /** It finds no memory so many times. */
  private CallbackTask poor(int number, int times) {
    AtomicInteger tried = new AtomicInteger();
    return new CallbackTask() {
      @Override
      protected void run() {
        if (tried.incrementAndGet() <= times) {
          throw new OutOfMemoryError("of the test");
        }
        ran.add(number);
      }

      @Override
      public boolean runsAgain() {
        return true;
      }
    };
  }

  @Test
  void task_thatFindsNoMemory_runsAgainLater_andKeepsNoOtherFromItsTurn() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    threads.blockNow(share);
    share.execute(poor(1, 3));
    share.execute(task(2));
    threads.release.countDown();
    awaitRan(1);
    assertThat(ran).as("before time has moved").containsExactly(2);

    await()
        .untilAsserted(
            () -> {
              threads.time.advanceMillis(50);
              assertThat(ran).containsExactly(2, 1);
            });
    await().until(() -> share.threads() == 0);
    assertThat(share.waiting()).isZero();
  }

  @Test
  void executeLater_byAThreadOfNoShare_runsIt() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    share.executeLater(poor(1, 2));
    assertThat(share.threads()).isZero();

    await()
        .untilAsserted(
            () -> {
              threads.time.advanceMillis(50);
              assertThat(ran).containsExactly(1);
            });
  }

  /** No timer is left, as when a Tenrec closes: closing itself tries again. */
  @Test
  void close_whileATaskWaitsForMemory_waitsForItAndRunsIt() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    threads.timer.close();
    share.executeLater(poor(1, 3));
    share.executeLater(poor(2, 0));
    List<CallbackExecutor.Stuck> left = Collections.synchronizedList(new ArrayList<>());
    Thread closer = new Thread(() -> left.addAll(threads.close(executor, 100, 60_000)));
    closer.start();

    await()
        .until(
            () -> {
              threads.time.advanceMillis(50);
              return !closer.isAlive();
            });

    assertThat(ran).containsExactlyInAnyOrder(1, 2);
    assertThat(left).isEmpty();
  }

  /** Closing goes through those that wait, and the one that found no memory comes back to them. */
  @Test
  void close_whileATaskThatFindsNoMemoryHasOthersBehindIt_runsEachOnce() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    threads.blockNow(share);
    share.execute(poor(1, 1));
    share.execute(task(2));
    Thread closer = new Thread(() -> threads.close(executor, 0, 60_000));
    closer.setDaemon(true);
    closer.start();

    await()
        .until(
            () -> { // what waits behind the blocked thread gets another
              threads.time.advanceMillis(50);
              return ran.contains(1) && ran.contains(2);
            });
    threads.release.countDown();
    await()
        .until(
            () -> {
              threads.time.advanceMillis(50);
              return !closer.isAlive();
            });

    assertThat(ran).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void executeLater_withoutAThreadForTheTimer_runsOnceItHasOneForAnother() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    threads.timerFailing = true;
    share.executeLater(task(1));
    threads.timerFailing = false;

    assertThat(threads.timer.arm(farOff())).isTrue();

    awaitInTime(1);
  }

  @Test
  void executeLater_withoutAThreadForTheTimer_runsOnceTheNextFindsOne() {
    CallbackExecutor executor = threads.bounded(1, 0);
    threads.timerFailing = true;
    executor.newShare("First").executeLater(task(1));
    threads.timerFailing = false;

    executor.newShare("Second").executeLater(task(2));

    awaitInTime(1, 2);
  }

  private void awaitInTime(Integer... numbers) {
    await()
        .untilAsserted(
            () -> {
              threads.time.advanceMillis(50);
              assertThat(ran).containsExactlyInAnyOrder(numbers);
            });
  }

  private Timeout farOff() {
    return in(Duration.ofDays(1), () -> {});
  }

  private Timeout in(Duration delay, Runnable expiry) {
    return new Timeout(threads.time.nanoTime() + delay.toNanos()) {
      @Override
      protected boolean isEnded() {
        return false;
      }

      @Override
      protected void expired() {
        expiry.run();
      }
    };
  }

  @Test
  void executeLater_afterClose_runsIt() throws Exception {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    threads.close();
    share.executeLater(poor(1, 1));
    await().until(() -> !threads.time.waiting().isEmpty());
    assertThat(ran).as("before time has moved").isEmpty();

    await()
        .untilAsserted(
            () -> { // its thread waits by itself: there is no timer any more
              threads.time.advanceMillis(50);
              assertThat(ran).containsExactly(1);
            });
  }

  /** Memory is not there because a thread is: what waits for memory waits on, and is not lost. */
  @Test
  void executeLater_whileAnotherShareGetsAThread_isTriedAfterItsTime() {
    CallbackExecutor executor = threads.bounded(1, 0);
    executor.newShare("Poor").executeLater(task(1));
    CallbackShare other = executor.newShare("Other");
    other.execute(task(2));
    await().until(() -> other.threads() == 0);
    assertThat(ran).as("before time has moved").containsExactly(2);

    awaitInTime(1, 2);
  }

  /** It is the user's code, and nobody has said that it may run twice. */
  @Test
  void task_ofARunnableThatFindsNoStack_isNotRunAgain() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    share.execute(
        CallbackTask.of(
            () -> {
              ran.add(1);
              throw new StackOverflowError("of the test");
            }));
    share.execute(task(2));
    awaitRan(2);
    await().until(() -> share.threads() == 0);
    assertThat(executor.kept().isEmpty()).as("nothing is to be tried again").isTrue();
  }

  /** What has begun may be kept for long. */
  @Test
  void task_thatHasBegun_keepsNoneThatCameAfterIt() {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    threads.blockNow(share);
    List<Boolean> keeps = new CopyOnWriteArrayList<>();
    share.execute(
        new CallbackTask() {
          @Override
          protected void run() {
            keeps.add(next != null);
          }
        });
    share.execute(task(1));
    threads.release.countDown();
    awaitRan(1);
    assertThat(keeps).containsExactly(false);
  }

  @Test
  void newShares_ofOneExecutor_countTheirOwn() {
    CallbackExecutor executor = threads.bounded(1, 0);
    AtomicInteger done = new AtomicInteger();
    CallbackShare one = executor.newShare("One");
    CallbackShare two = executor.newShare("Two");
    threads.blockNow(one);
    two.execute(CallbackTask.of(done::incrementAndGet));
    await().until(() -> done.get() == 1 && two.threads() == 0);
    assertThat(one.threads()).isEqualTo(1);
    assertThat(one.name()).isEqualTo("One");
  }
}
