// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import static org.awaitility.Awaitility.await;

import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.kit.Uninterruptibly;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.ManualTime;
import dev.tenrec.metrics.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A callback executor in manual time, whose threads are counted and may fail to start; and tasks
 * that block until they are released.
 */
final class CallbackThreads implements ThreadFactory {

  final ManualTime time = new ManualTime();
  final Timer timer = new Timer(time, time, this::newTimerThread);
  final CountDownLatch release = new CountDownLatch(1);

  /** All that were made and could be started. */
  final List<Thread> made = new CopyOnWriteArrayList<>();

  /** Calls that found that there is no thread. */
  final AtomicInteger failures = new AtomicInteger();

  private final List<CallbackExecutor> opened = new CopyOnWriteArrayList<>();

  /** Written by the test, read by threads that need one. */
  private volatile boolean failing;

  /** Whether the timer finds no thread. Written by the test, read by threads that arm. */
  volatile boolean timerFailing;

  /**
   * Whether threads begin only when all are released. Written by the test, read by threads that
   * start one.
   */
  volatile boolean beginningLate;

  /** What happens just before a thread cannot be started. Written before it is read. */
  volatile Runnable beforeFailing = () -> {};

  CallbackExecutor bounded(int threads, int queue) {
    return opened(CallbackExecutor.bounded(threads, queue, timer, time, time, this));
  }

  /** Whose time is read by another clock, on the same scale. */
  CallbackExecutor bounded(int threads, int queue, Ticker ticker) {
    return opened(CallbackExecutor.bounded(threads, queue, timer, ticker, time, this));
  }

  CallbackExecutor of(Executor executor) {
    return opened(CallbackExecutor.of(executor, timer, time, time, this));
  }

  private CallbackExecutor opened(CallbackExecutor executor) {
    opened.add(executor);
    return executor;
  }

  /** Whether no thread can be started from now on. */
  void failing(boolean fails) {
    failing = fails;
  }

  @Override
  public Thread newThread(Runnable task) {
    if (failing) {
      failures.incrementAndGet();
      beforeFailing.run();
      throw new OutOfMemoryError("no thread, on purpose");
    }
    Runnable body = beginningLate ? () -> runLate(task) : task;
    Thread thread = daemon(body, "own-" + made.size());
    made.add(thread);
    return thread;
  }

  private void runLate(Runnable task) {
    Uninterruptibly.await(release);
    task.run();
  }

  private Thread newTimerThread(Runnable task) {
    if (timerFailing) {
      throw new OutOfMemoryError("no thread for the timer, on purpose");
    }
    return daemon(task, "test-timer");
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** A task that blocks until all are released, and says when it has begun. */
  CountDownLatch block(CallbackShare share) {
    CountDownLatch begun = new CountDownLatch(1);
    share.execute(
        CallbackTask.of(
            () -> {
              begun.countDown();
              awaitRelease();
            }));
    return begun;
  }

  /** Blocks the one thread of this share. */
  void blockNow(CallbackShare share) {
    awaitBegun(block(share));
  }

  private void awaitRelease() {
    boolean interrupted = false;
    while (true) {
      try {
        release.await();
        break;
      } catch (InterruptedException e) { // as user code may
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  static void awaitBegun(CountDownLatch latch) {
    try {
      long seconds = PatientWaits.seconds();
      if (!latch.await(seconds, TimeUnit.SECONDS)) {
        throw new AssertionError("not there within " + seconds + " s");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Lets everything end, while time goes on, and waits for the threads. */
  void close() throws InterruptedException {
    failing = false;
    release.countDown();
    for (CallbackExecutor executor : opened) {
      List<CallbackExecutor.Stuck> left = new ArrayList<>();
      Thread closer = daemon(() -> left.addAll(close(executor, 60_000, 1)), "closer");
      closer.start();
      await().atMost(PatientWaits.patience()).until(() -> !closer.isAlive());
      if (!left.isEmpty()) {
        throw new AssertionError("still at work: " + left);
      }
    }
    timer.close();
    for (Thread thread : made) {
      thread.join(PatientWaits.patience().toMillis());
      if (thread.isAlive()) {
        throw new AssertionError(thread + " is left");
      }
    }
  }

  /** Closes it, with so many milliseconds of patience, and so many after the interrupts. */
  List<CallbackExecutor.Stuck> close(CallbackExecutor executor, long millis, long lastMillis) {
    long deadline = time.nanoTime() + Duration.ofMillis(millis).toNanos();
    return executor.close(deadline, deadline + Duration.ofMillis(lastMillis).toNanos());
  }
}
