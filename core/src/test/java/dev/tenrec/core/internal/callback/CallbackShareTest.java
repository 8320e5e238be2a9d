// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.timeout.Timeout;
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
    return new Timeout(threads.time.nanoTime() + Duration.ofDays(1).toNanos()) {
      @Override
      protected boolean isEnded() {
        return false;
      }

      @Override
      protected void expired() {}
    };
  }

  @Test
  void executeLater_afterClose_runsIt() throws Exception {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    threads.close();
    share.executeLater(poor(1, 1));

    await()
        .untilAsserted(
            () -> { // its thread waits by itself: there is no timer any more
              threads.time.advanceMillis(50);
              assertThat(ran).containsExactly(1);
            });
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
