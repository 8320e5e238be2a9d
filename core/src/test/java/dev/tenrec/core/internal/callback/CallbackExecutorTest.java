// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.callback.CallbackExecutor.Stuck;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.kit.Elsewhere;
import dev.tenrec.core.kit.SwitchedLogging;
import dev.tenrec.core.kit.Uninterruptibly;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        new Thread(
            () -> {
              try {
                left.complete(threads.close(executor, millis, lastMillis));
              } catch (Throwable thrown) {
                left.completeExceptionally(thrown);
              }
            },
            "closer");
    closer.setDaemon(true);
    closer.start();
    await().until(() -> left.isDone() || threads.time.waiting().contains(closer));
    return left;
  }

  /** What closing has left, once it is back. */
  private static List<Stuck> awaited(CompletableFuture<List<Stuck>> closing) {
    await().until(closing::isDone);
    return closing.join();
  }

  /** Until closing is back, or waits for a time that has not come. */
  private void awaitCloserWaiting(CompletableFuture<List<Stuck>> closing) {
    await().until(() -> closing.isDone() || isCloserWaiting());
  }

  /** Time goes on only while closing waits for it: its threads may be held up for long. */
  private List<Stuck> awaitedInTime(CompletableFuture<List<Stuck>> closing) {
    await()
        .until(
            () -> {
              if (isCloserWaiting()) {
                threads.time.advanceMillis(50);
              }
              return closing.isDone();
            });
    return closing.join();
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

  /** It has begun on another thread, so it is there, whatever the executor says. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void of_executorThatBeginsATaskAndThrows_hasTakenIt(boolean offered) {
    CountDownLatch begun = new CountDownLatch(1);
    CallbackShare share =
        shareOf(
            runner -> {
              Thread unused = Elsewhere.start(runner);
              CallbackThreads.awaitBegun(begun);
              throw new IllegalStateException("an executor that fails on purpose");
            });
    CallbackTask task =
        CallbackTask.of(
            () -> {
              begun.countDown();
              ran.add(1);
            });
    if (offered) {
      assertThat(share.offer(task)).isTrue();
    } else {
      share.execute(task);
    }
    awaitRan(1);
    await().until(() -> share.threads() == 0);
    assertThat(threads.made).isEmpty();
  }

  /**
   * The executor is the user's, and so is its bound: the first thread does the second task, too.
   */
  @Test
  void of_executorThatRefusesASecondThread_getsNoneOfOurs() {
    AtomicInteger asked = new AtomicInteger();
    CallbackShare share =
        shareOf(
            runner -> {
              if (asked.incrementAndGet() > 1) {
                throw new RejectedExecutionException("of the test");
              }
              Thread unused = Elsewhere.start(runner);
            });
    threads.blockNow(share);
    share.execute(task(1));
    assertThat(asked).hasValue(2);
    assertThat(threads.made).isEmpty();
    assertThat(share.threads()).isOne();
    assertThat(share.waiting()).isOne();
    threads.release.countDown();
    awaitRan(1);
  }

  /** It has taken a task, and nobody would notice that it does not begin. */
  @Test
  void of_executorThatTakesATask_withoutAThreadForTheTimer_isNotLeftAlone() {
    List<Throwable> reported = new CopyOnWriteArrayList<>();
    CallbackExecutor executor = threads.of(kept::add);
    executor.reportFailures((what, thrown) -> reported.add(thrown));
    threads.timerFailing = true;
    executor.newShare("Subject").execute(task(1));
    awaitRan(1);
    assertThat(threads.made).hasSize(1);
    assertThat(reported).hasOnlyElementsOfType(OutOfMemoryError.class).hasSize(1);
    threads.timerFailing = false;
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
    assertThat(awaited(left)).isEmpty();
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
    assertThat(awaited(left)).isEmpty();
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
    // closing may find the new thread in its turn, and give the second task a third one
    await().untilAsserted(() -> assertThat(ran).containsExactlyInAnyOrder(1, 2));
    await().until(() -> share.threads() == 1); // else the new thread may pass for stuck, too
    List<Stuck> stuck = awaitedInTime(left);
    assertThat(stuck).hasSize(1);
    assertThat(stuck.get(0).name()).isEqualTo("Subject");
    assertThat(stuck.get(0).thread()).isEqualTo(threads.made.get(0).getName());
  }

  /** Once, so that it can go on and clean up; and not what is at another task by then. */
  @Test
  void close_interruptsWhatBeginsOnlyWhileItWaits() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    threads.blockNow(share);
    AtomicInteger interrupts = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    CountDownLatch cleaned = new CountDownLatch(1);
    share.execute(
        CallbackTask.of(
            () -> {
              begun.countDown();
              while (cleaned.getCount() != 0) {
                try {
                  (interrupts.get() == 0 ? never : cleaned).await();
                } catch (InterruptedException e) {
                  interrupts.incrementAndGet();
                }
              }
              ran.add(interrupts.get());
            }));
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 1_000);
    threads.time.advanceMillis(1_000);
    CallbackThreads.awaitBegun(begun); // on a thread that closing has given to what waits
    awaitCloserWaiting(left);
    assertThat(interrupts).hasValue(0);
    threads.time.advanceMillis(50); // a round of closing that finds it
    await().until(() -> interrupts.get() > 0);
    awaitCloserWaiting(left);
    threads.time.advanceMillis(50); // one more
    awaitCloserWaiting(left);
    assertThat(left).isNotDone();
    cleaned.countDown();
    awaitRan(1);
    List<Stuck> unused = awaitedInTime(left);
  }

  /**
   * The first of those that wait begins while closing is at it: the way to the next is not lost.
   */
  @Test
  void close_whileWhatItAbortsBegins_abortsThoseBehindIt() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger aborts = new AtomicInteger();
    CountDownLatch atWork = new CountDownLatch(1);
    share.execute(
        CallbackTask.of(
            () -> {
              atWork.countDown();
              Uninterruptibly.await(busy);
            }));
    CallbackThreads.awaitBegun(atWork);
    share.execute(
        new CallbackTask() {
          @Override
          protected void run() {
            begun.countDown();
            Uninterruptibly.await(threads.release);
          }

          @Override
          protected void abort() {
            busy.countDown();
            Uninterruptibly.await(begun);
          }
        });
    share.execute(
        new CallbackTask() {
          @Override
          protected void run() {
            ran.add(aborts.get());
          }

          @Override
          protected void abort() {
            aborts.incrementAndGet();
          }
        });

    CompletableFuture<List<Stuck>> left = closing(executor, 0, 1_000);

    awaitRan(1); // aborted before it got a thread of its own
    threads.release.countDown();
    await().until(left::isDone);
  }

  /** What closing says of it is for people who look for the culprit. */
  @Test
  void close_withLessThanAStepLeft_returnsAtItsEnd_andSaysSinceWhenItIsStuck() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    threads.time.advanceMillis(10_000);
    long since = threads.time.nanoTime();
    threads.blockNow(share);
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 20);
    threads.time.advanceMillis(1_000);
    await().until(this::isCloserWaiting);
    threads.time.advanceMillis(20);
    assertThat(awaited(left)).extracting(Stuck::sinceNanos).containsExactly(since);
  }

  /** What has not begun by then is left to itself. */
  @Test
  void close_ofAnInterruptedThread_doesNotWaitAndKeepsTheFlag() {
    CallbackExecutor executor = threads.bounded(1, 0);
    threads.beginningLate = true;
    executor.newShare("Subject").execute(task(1));
    CompletableFuture<Boolean> flag =
        Elsewhere.call(
            () -> {
              Thread.currentThread().interrupt();
              assertThat(threads.close(executor, 1_000, 60_000)).isEmpty();
              return Thread.currentThread().isInterrupted();
            });
    await().until(flag::isDone); // no time has moved
    assertThat(flag.join()).isTrue();
    threads.release.countDown();
    awaitRan(1);
  }

  @Test
  void close_withoutAThreadToInterruptOn_interruptsAllTheSame() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CountDownLatch begun = new CountDownLatch(1);
    executor
        .newShare("Subject")
        .execute(
            CallbackTask.of(
                () -> {
                  begun.countDown();
                  try {
                    threads.release.await();
                  } catch (InterruptedException e) {
                    ran.add(1);
                  }
                }));
    CallbackThreads.awaitBegun(begun);
    threads.failing(true);
    CompletableFuture<List<Stuck>> left = closing(executor, 0, 1_000);
    awaitRan(1);
    await().until(left::isDone);
  }

  /** What such a thread does next is not ours. */
  @Test
  void close_whileAUsersThreadIsStuck_abortsItsTaskAndDoesNotInterruptIt() {
    CallbackExecutor executor =
        threads.of(
            runner -> {
              Thread unused = Elsewhere.start(runner);
            });
    CountDownLatch aborted = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    executor
        .newShare("Subject")
        .execute(
            new CallbackTask() {
              @Override
              protected void run() {
                begun.countDown();
                Uninterruptibly.await(threads.release);
                ran.add(Thread.currentThread().isInterrupted() ? 1 : 0);
              }

              @Override
              protected void abort() {
                aborted.countDown();
              }
            });
    CallbackThreads.awaitBegun(begun);
    CompletableFuture<List<Stuck>> left = closing(executor, 0, 20);
    CallbackThreads.awaitBegun(aborted);
    await().until(this::isCloserWaiting);
    threads.time.advanceMillis(20);
    assertThat(awaited(left)).extracting(Stuck::thread).containsExactly("caller");
    assertThat(threads.made).as("no thread to interrupt on either").isEmpty();
    threads.release.countDown();
    awaitRan(0);
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
    await().until(this::isCloserWaiting);
    threads.time.advanceMillis(50);
    awaitRan(1);
    assertThat(threads.time.nanoTime()).as("not over so far").isPositive();
    await().until(() -> share.threads() == 2); // else the third may pass for stuck, too
    assertThat(awaitedInTime(left)).hasSize(2);
  }

  private boolean isCloserWaiting() {
    return threads.time.waiting().stream().anyMatch(thread -> thread.getName().equals("closer"));
  }

  @Test
  void execute_afterClose_stillRuns_alsoBehindAStuckThread() throws Exception {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare idle = executor.newShare("Idle");
    assertThat(awaited(closing(executor, 0, 0))).isEmpty();
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
    assertThat(awaited(left)).isEmpty(); // no time has moved
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

  /** A second thread could not be had, but the first one is at the task that was to have it. */
  @Test
  void close_whileTheFirstThreadIsAtWhatFoundNoSecond_waitsForIt() {
    CallbackExecutor executor = threads.bounded(2, 0);
    CallbackShare share = executor.newShare("Subject");
    CountDownLatch atFirst = new CountDownLatch(1);
    CountDownLatch first = new CountDownLatch(1);
    share.execute(
        CallbackTask.of(
            () -> {
              atFirst.countDown();
              Uninterruptibly.await(first);
            }));
    CallbackThreads.awaitBegun(atFirst);
    CountDownLatch atSecond = new CountDownLatch(1);
    threads.failing(true);
    threads.beforeFailing =
        () -> {
          first.countDown();
          CallbackThreads.awaitBegun(atSecond);
        };
    share.execute(
        CallbackTask.of(
            () -> {
              atSecond.countDown();
              Uninterruptibly.await(threads.release);
              ran.add(1);
            }));
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 1_000);
    assertThat(left).isNotDone();
    threads.release.countDown();
    assertThat(awaited(left)).isEmpty();
    assertThat(ran).containsExactly(1);
  }

  /** What waited for a thread when there was none is tried again by closing, at the latest. */
  @Test
  void close_withTasksThatFoundNoThread_runsThem() throws Exception {
    CallbackExecutor executor = threads.bounded(1, 0);
    threads.failing(true);
    executor.newShare("Subject").execute(task(1));
    threads.failing(false);
    assertThat(awaited(closing(executor, 1_000, 1_000))).isEmpty();
    assertThat(ran).containsExactly(1);
  }

  private CallbackTask abortable(AtomicInteger aborts) {
    return new CallbackTask() {
      @Override
      protected void run() {
        ran.add(0);
      }

      @Override
      protected void abort() {
        aborts.incrementAndGet();
      }
    };
  }

  /** It does not wait for its last instant: callers wait for that. */
  @Test
  void close_withoutAnyThread_abortsWhatWaitsForOneAtTheDeadline() {
    CallbackExecutor executor = threads.bounded(1, 0);
    threads.timer.close(); // as a Tenrec's is by then: it tries nothing at the same time
    AtomicInteger aborts = new AtomicInteger();
    threads.failing(true);
    executor.newShare("Subject").execute(abortable(aborts));
    CompletableFuture<List<Stuck>> left = closing(executor, 1_000, 1_000);
    assertThat(aborts).hasValue(0);
    threads.time.advanceMillis(1_000);
    await().until(() -> aborts.get() > 0);
    threads.failing(false);
    assertThat(awaitedInTime(left)).isEmpty();
  }

  /** Two tasks of one share, which waits for a thread but once. */
  @Test
  void close_withoutAnyThread_andWithoutTime_abortsWhatWaitsForOne() {
    CallbackExecutor executor = threads.bounded(1, 0);
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    threads.failing(true);
    CallbackShare share = executor.newShare("Subject");
    share.execute(abortable(first));
    share.execute(abortable(second));
    assertThat(awaited(closing(executor, 0, 0))).isEmpty();
    assertThat(first).hasValue(1);
    assertThat(second).hasValue(1);
  }

  /** It waits for a thread and for memory, and is one share that is not quiet. */
  @Test
  void close_withATaskThatFoundNoThreadAndOneThatFoundNoMemory_waitsForBoth() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    threads.failing(true);
    share.execute(task(1));
    share.executeLater(task(2));
    threads.failing(false);
    assertThat(awaited(closing(executor, 1_000, 1_000))).isEmpty();
    assertThat(ran).containsExactly(1, 2);
  }

  @Test
  void close_withATaskThatFoundNoMemory_andOneThatCameAfterIt_waitsForBoth() {
    CallbackExecutor executor = threads.bounded(1, 0);
    CallbackShare share = executor.newShare("Subject");
    share.executeLater(task(1));
    share.execute(task(2));
    awaitRan(2);
    await().until(() -> share.threads() == 0);
    assertThat(awaited(closing(executor, 1_000, 1_000))).isEmpty();
    assertThat(ran).containsExactly(2, 1);
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

  // What went wrong.

  @Test
  void threadThatCouldNotBeHad_isReportedByTheNextThatCan() {
    CallbackExecutor executor = threads.bounded(1, 0);
    List<String> reported = new CopyOnWriteArrayList<>();
    executor.reportFailures((what, thrown) -> reported.add(what + ": " + thrown.getMessage()));
    CallbackShare share = executor.newShare("Subject");
    threads.failing(true);
    share.execute(task(1));
    assertThat(reported).isEmpty();
    threads.failing(false);
    share.execute(task(2));
    awaitRan(1, 2);
    await().until(() -> share.threads() == 0);
    share.execute(task(3));
    awaitRan(1, 2, 3);
    assertThat(reported)
        .containsExactly(
            "callbacks waited, because no thread could be started for them: "
                + "no thread, on purpose");
  }

  @Test
  void threadOfTheTimerThatCouldNotBeHad_isReportedByTheNextThatCan() {
    CallbackExecutor executor = threads.bounded(1, 0);
    List<String> reported = new CopyOnWriteArrayList<>();
    executor.reportFailures((what, thrown) -> reported.add(thrown.getMessage()));
    threads.timerFailing = true;
    executor.newShare("Poor").executeLater(task(1));
    threads.timerFailing = false;
    executor.newShare("Other").execute(task(2));
    awaitRan(2);
    assertThat(reported).containsExactly("no thread for the timer, on purpose");
  }

  /** Else a callback of the user's would fail, and nobody would hear of it. */
  @Test
  void task_thatThrows_isLogged() throws Exception {
    CallbackShare share = threads.bounded(1, 0).newShare("Subject");
    for (Error thrown : List.of(new AssertionError("on purpose"), new StackOverflowError())) {
      List<String> loggers = new CopyOnWriteArrayList<>();
      try (AutoCloseable lines = SwitchedLogging.on(loggers::add)) {
        share.execute(
            CallbackTask.of(
                () -> {
                  throw thrown;
                }));
        await().until(() -> loggers.contains(CallbackExecutor.class.getName()));
      }
    }
  }

  /** The executor outlives its shares: a command that is taken out is not to be kept by it. */
  @Test
  void share_thatIsIdleAndForgotten_isKeptByNothing() {
    WeakReference<CallbackShare> forgotten = forgottenShare(threads.bounded(1, 0));
    await()
        .until(
            () -> {
              System.gc();
              return forgotten.get() == null;
            });
  }

  private WeakReference<CallbackShare> forgottenShare(CallbackExecutor executor) {
    CallbackShare share = executor.newShare("Subject");
    share.execute(task(1));
    awaitRan(1);
    await().until(() -> share.threads() == 0);
    return new WeakReference<>(share);
  }

  @Test
  void refused_countsWhatSharesSay() {
    CallbackExecutor executor = threads.bounded(1, 0);
    assertThat(executor.refused()).isZero();
    executor.countRefused();
    assertThat(executor.refused()).isEqualTo(1);
  }
}
