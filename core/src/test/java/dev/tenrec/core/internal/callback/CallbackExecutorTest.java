// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.callback.CallbackExecutor.Stuck;
import dev.tenrec.core.internal.timeout.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CallbackExecutorTest {

  private final CallbackThreads threads = new CallbackThreads();

  /** Read while threads add to it: a failed look at it waits for the next. */
  private final List<Integer> ran = new CopyOnWriteArrayList<>();

  private final List<Runnable> kept = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() throws InterruptedException {
    threads.close();
  }

  private CallbackTask task(int number) {
    return CallbackTask.of(() -> ran.add(number));
  }

  private CallbackShare shareOf(Executor executor) {
    return threads.of(executor).newShare("Subject");
  }

  private void awaitRan(Integer... numbers) {
    await().untilAsserted(() -> assertThat(ran).containsExactly(numbers));
  }

  /** On a thread of its own, because it waits by the manual clock. */
  private CompletableFuture<List<Stuck>> closing(
      CallbackExecutor executor, long millis, long lastMillis) {
    CompletableFuture<List<Stuck>> left = new CompletableFuture<>();
    Thread closer =
        new Thread(() -> left.complete(threads.close(executor, millis, lastMillis)), "closer");
    closer.setDaemon(true);
    closer.start();
    await().until(() -> left.isDone() || threads.time.waiting().contains(closer));
    return left;
  }

  @Test
  void bounded_withImpossibleSizes_saysWhatWasExpected() {
    assertThatThrownBy(() -> threads.bounded(0, 1))
        .hasMessage("callback threads: 0, expected 1 or more");
    assertThatThrownBy(() -> threads.bounded(1, -1))
        .hasMessage("callback queue size: -1, expected 0 or more");
  }

  // A user's executor.

  @Test
  void of_executorThatRefuses_offersAreRefused_andTheRestRunsOnThreadsOfOurs() {
    CallbackShare share =
        shareOf(
            task -> {
              throw new IllegalStateException("an executor that fails on purpose");
            });
    assertThat(share.offer(task(1))).isFalse();
    assertThat(share.threads()).isZero();
    share.execute(task(2));
    awaitRan(2);
    assertThat(threads.made).hasSize(1);
  }

  @Test
  void of_executorThatRunsOnTheBringingThread_hasRefused() {
    CallbackShare share = shareOf(Runnable::run);
    AtomicReference<Thread> ranOn = new AtomicReference<>();
    assertThat(share.offer(task(1))).isFalse();
    share.execute(CallbackTask.of(() -> ranOn.set(Thread.currentThread())));
    await().until(() -> ranOn.get() != null);
    assertThat(threads.made).contains(ranOn.get());
    assertThat(ran).isEmpty();
  }

  @Test
  void of_executorThatKeepsATaskAndThrows_runsItOnce() {
    CallbackShare share =
        shareOf(
            task -> {
              kept.add(task);
              throw new IllegalStateException("an executor that fails on purpose");
            });
    assertThat(share.offer(task(1))).isFalse();
    share.execute(task(2));
    awaitRan(2);
    await().until(() -> share.threads() == 0);
    kept.forEach(Runnable::run);
    assertThat(ran).containsExactly(2);
    await().until(() -> share.threads() == 0); // its thread leaves a moment after its task
  }

  @Test
  void of_executorThatDropsATask_isPassedOverAfterItsPatience() {
    CallbackShare share = shareOf(task -> {});
    share.execute(task(1));
    assertThat(share.offer(task(2))).isTrue();
    await().until(() -> threads.time.waiting().size() == 1); // the timer's thread
    threads.time.advanceMillis(49);
    assertThat(ran).isEmpty();
    assertThat(threads.made).isEmpty();
    await()
        .untilAsserted(
            () -> {
              threads.time.advanceMillis(1);
              assertThat(ran).containsExactlyInAnyOrder(1, 2);
            });
  }

  @Test
  void of_executorThatBeginsLate_runsTheTaskOnce() {
    CallbackShare share = shareOf(kept::add);
    share.execute(task(1));
    await()
        .untilAsserted(
            () -> {
              threads.time.advanceMillis(50);
              assertThat(ran).containsExactly(1);
            });
    await().until(() -> share.threads() == 0);
    kept.forEach(Runnable::run);
    assertThat(ran).containsExactly(1);
    assertThat(share.threads()).isZero();
    share.execute(task(2));
    kept.get(kept.size() - 1).run();
    assertThat(ran).containsExactly(1, 2);
  }

  @Test
  void of_executorThatBegins_isNotPassedOver() {
    CallbackShare share = shareOf(kept::add);
    share.execute(task(1));
    kept.forEach(Runnable::run); // later, so on the thread that brought it as well
    assertThat(ran).containsExactly(1);
    threads.time.advanceMillis(1_000);
    assertThat(threads.made).isEmpty();
    assertThat(share.threads()).isZero();
  }

  /** Dropped, and there is no thread of ours either: kept, and tried again. */
  @Test
  void of_executorThatDropsATask_whileNoThreadCanBeStarted_losesNothing() {
    CallbackShare share = shareOf(task -> {});
    threads.failing(true);
    share.execute(task(1));
    await()
        .until(
            () -> {
              threads.time.advanceMillis(50);
              return threads.failures.get() > 0;
            });
    threads.failing(false);
    await()
        .untilAsserted(
            () -> {
              threads.time.advanceMillis(50);
              assertThat(ran).containsExactly(1);
            });
  }

  // Closing.

  @Test
  void close_whenTasksEnd_returnsWithoutTimeMoving() throws Exception {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    threads.blockNow(share);
    share.execute(task(1));
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 1_000);
    threads.release.countDown();
    assertThat(left.join()).isEmpty();
    assertThat(ran).containsExactly(1);
  }

  @Test
  void close_atTheDeadline_interruptsAndAborts() throws Exception {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    AtomicInteger aborts = new AtomicInteger();
    CallbackTask busy =
        new CallbackTask() {
          @Override
          protected void run() {
            begun.countDown();
            try {
              threads.release.await();
            } catch (InterruptedException e) {
              interrupted.countDown();
            }
          }

          @Override
          protected void abort() {
            aborts.getAndIncrement();
          }
        };
    CountDownLatch ended = new CountDownLatch(1);
    CallbackTask waiting =
        new CallbackTask() {
          @Override
          protected void run() {
            ended.countDown();
          }

          @Override
          protected void abort() {
            aborts.getAndIncrement();
            throw new IllegalStateException("on purpose: the others are aborted all the same");
          }
        };
    share.execute(busy);
    share.execute(waiting);
    share.execute(task(1));
    CallbackThreads.awaitBegun(begun);
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 1_000);
    threads.time.advanceMillis(999);
    assertThat(interrupted.getCount()).isEqualTo(1);
    assertThat(aborts).hasValue(0);
    threads.time.advanceMillis(1);
    CallbackThreads.awaitBegun(interrupted);
    CallbackThreads.awaitBegun(ended); // what waited still runs
    assertThat(left.join()).isEmpty();
    assertThat(aborts.get()).isGreaterThanOrEqualTo(2);
    assertThat(ran).containsExactly(1);
  }

  @Test
  void close_behindAStuckThread_givesWhatWaitsAnotherAndReportsTheStuckOne() throws Exception {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    threads.blockNow(share);
    share.execute(task(1));
    share.execute(task(2));
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 1_000);
    threads.time.advanceMillis(1_000);
    awaitRan(1, 2);
    await()
        .pollInterval(Duration.ofMillis(5)) // some 20 steps of closing, on a busy machine too
        .until(
            () -> {
              threads.time.advanceMillis(50);
              return left.isDone();
            });
    assertThat(left.join()).hasSize(1);
    assertThat(left.join().get(0).name()).isEqualTo("Subject");
    assertThat(left.join().get(0).thread()).isEqualTo(threads.made.get(0).getName());
  }

  /** Readings may only be compared by their difference. */
  @Test
  void close_whereReadingsOverflowMeanwhile_helpsInSteps_asElsewhere() {
    long toOverflow = Duration.ofMillis(1_600).toNanos() + 7; // no reading that means for ever
    threads.time.advance(Duration.ofNanos(Long.MAX_VALUE - toOverflow - threads.time.nanoTime()));
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    threads.blockNow(share);
    CountDownLatch second = threads.block(share);
    share.execute(task(1));
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 1_000);
    threads.time.advanceMillis(1_000);
    CallbackThreads.awaitBegun(second); // it got a thread in the first step
    await().until(() -> threads.time.waiting().stream().anyMatch(this::isCloser));
    threads.time.advanceMillis(50);
    awaitRan(1);
    assertThat(threads.time.nanoTime()).as("not over so far").isPositive();
    await()
        .until(
            () -> {
              threads.time.advanceMillis(50);
              return left.isDone();
            });
    assertThat(left.join()).hasSize(2);
  }

  private boolean isCloser(Thread thread) {
    return thread.getName().equals("closer");
  }

  @Test
  void execute_afterClose_stillRuns_alsoBehindAStuckThread() throws Exception {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare idle = executor.newShare("Idle");
    assertThat(closing(executor, 0, 0).join()).isEmpty();
    idle.execute(task(1));
    awaitRan(1);
    await().until(() -> idle.threads() == 0); // else there is no room until its thread has left
    assertThat(idle.offer(task(2))).isTrue();
    awaitRan(1, 2);
  }

  /** A second thread was asked for, and by the time it fails to start nothing is left to do. */
  @Test
  void close_afterAThreadFailedToStartForNothing_doesNotWait() {
    CallbackExecutor executor = threads.bounded(2, 0);
    CallbackShare share = executor.newShare("Subject");
    threads.blockNow(share);
    threads.failing(true);
    threads.beforeFailing =
        () -> {
          threads.release.countDown();
          await().until(() -> share.waiting() == 0 && share.threads() == 1);
        };
    share.execute(task(1));
    assertThat(ran).containsExactly(1);
    assertThat(share.threads()).isZero();
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 1_000);
    await().until(left::isDone); // no time has moved
    assertThat(left.join()).isEmpty();
  }

  /** The same for a task that may be left out, and that the first thread has taken meanwhile. */
  @Test
  void close_afterAnOfferFoundNoThreadAndRanAllTheSame_doesNotWait() {
    CallbackExecutor executor = threads.bounded(2, 1);
    CallbackShare share = executor.newShare("Subject");
    threads.blockNow(share);
    threads.failing(true);
    threads.beforeFailing =
        () -> {
          threads.release.countDown();
          await().until(() -> share.waiting() == 0 && share.threads() == 1);
        };
    assertThat(share.offer(task(1))).isTrue();
    assertThat(ran).containsExactly(1);
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 1_000);
    await().until(left::isDone);
  }

  /** What waited for a thread when there was none is tried again by closing, at the latest. */
  @Test
  void close_withTasksThatFoundNoThread_runsThem() throws Exception {
    CallbackExecutor executor = threads.bounded(1, 0);
    threads.failing(true);
    executor.newShare("Subject").execute(task(1));
    threads.failing(false);
    assertThat(closing(executor, 1_000, 1_000).join()).isEmpty();
    assertThat(ran).containsExactly(1);
  }

  /** The executor has taken a runner and been shut down: closing the timer says so. */
  @Test
  void closedTimer_whileAUsersExecutorHasNotBegun_runsItOnAThreadOfOurs() {
    CallbackShare share = shareOf(kept::add);
    share.execute(task(1));
    threads.timer.close().forEach(Timeout::closed);
    awaitRan(1);
    share.execute(task(2)); // the timer notices nothing any more: not left to the executor alone
    awaitRan(1, 2);
    kept.forEach(Runnable::run);
    assertThat(ran).containsExactly(1, 2);
  }

  @Test
  void refused_countsWhatSharesSay() {
    CallbackExecutor executor = threads.bounded(1, 0);
    assertThat(executor.refused()).isZero();
    executor.countRefused();
    assertThat(executor.refused()).isEqualTo(1);
  }
}
