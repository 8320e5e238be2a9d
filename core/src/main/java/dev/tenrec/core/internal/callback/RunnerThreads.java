// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import dev.tenrec.core.internal.timeout.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that {@link Runner}s get: those of a user's executor if there is one, or ours, which
 * are started on demand and end when they are idle. A user's executor that refuses a runner,
 * throws, or does not begin it in time is passed over: a thread of ours runs it. Thread-safe.
 */
final class RunnerThreads {

  private static final long IDLE_SECONDS = 10;

  private final @Nullable Executor users;
  private final ThreadPoolExecutor own;
  private final ThreadFactory factory;
  private final Timer timer;
  private final StartFailure failure;

  /**
   * No thread is started yet.
   *
   * @param users a user's executor; null if all threads are ours
   * @param factory makes ours
   * @param timer notices that a user's executor does not begin a runner
   * @param failure gets the reason why there was no thread
   */
  RunnerThreads(
      @Nullable Executor users, ThreadFactory factory, Timer timer, StartFailure failure) {
    this.users = users;
    this.factory = factory;
    this.timer = timer;
    this.failure = failure;
    // the JDK's pool will do: no permits depend on this one
    this.own =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            factory);
  }

  /**
   * False if there is no thread for it now. Throws nothing.
   *
   * @param sheddable whether it is for a task that can be left out: what a user's executor refuses
   *     is
   */
  boolean start(Runner runner, boolean sheddable) {
    if (users == null) {
      return startOnOwn(runner);
    }
    try {
      if (isBroughtTo(users, runner)) {
        if (!runner.isClaimed() && !timer.arm(runner)) {
          replace(runner); // all is closing, and no timer would notice that it does not begin
        }
        return true;
      }
    } catch (Throwable e) { // no memory, no timer
      failure.keep(e);
    }
    if (!sheddable && !runner.extra) {
      try {
        replace(runner);
        return true;
      } catch (Throwable e) { // no memory for one of ours: the share keeps what waits
        failure.keep(e);
      }
    }
    return !runner.share().withdraws(runner);
  }

  private static boolean isBroughtTo(Executor executor, Runner runner) {
    boolean threw = true;
    runner.bring();
    try {
      executor.execute(runner);
      threw = false;
    } catch (Throwable e) {
      // it is full, shut down or broken: our own threads will do
    }
    return runner.isBrought() && !threw;
  }

  private boolean startOnOwn(Runner runner) {
    try {
      if (!isTakenByOwn(runner)) {
        factory.newThread(runner).start();
      }
      return true;
    } catch (Throwable e) { // the system has no thread to give, or no memory
      failure.keep(e);
      return false;
    }
  }

  /** False once closing has shut the threads of our own, whose number has no bound before. */
  private boolean isTakenByOwn(Runner runner) {
    try {
      own.execute(runner);
      return true;
    } catch (RejectedExecutionException closed) {
      return false;
    }
  }

  /** A user's executor has refused it, or not begun it in time. */
  void replace(Runner late) {
    Runner instead = late.share().replace(late);
    if (instead != null && !startOnOwn(instead)) {
      late.share().begunNowhere(instead);
    }
  }

  /** Takes no runner any more, on the threads that it keeps; each later one gets its own. */
  void shutdown() {
    own.shutdown();
  }

  boolean isShutdown() {
    return own.isShutdown();
  }

  /** From Java 21 on, only the JDK's pool knows of a thread that it has started and not run yet. */
  void awaitEnd(long nanos) {
    try {
      boolean unused = own.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * An interrupt may close a channel and wait for that: the closing thread does not. A user's
   * thread is not interrupted: what it does next is not ours.
   */
  void interrupt(Thread busy) {
    if (users != null) {
      return;
    }
    try {
      factory.newThread(busy::interrupt).start();
    } catch (Throwable thrown) { // no thread, no memory
      busy.interrupt();
    }
  }
}
