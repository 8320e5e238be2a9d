// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.timeout;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that start on demand and end when idle. The JDK's pool will do: nobody's permits depend
 * on this one.
 */
final class CallbackPool extends ThreadPoolExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(CallbackPool.class);

  private final Waiter waiter;

  /**
   * Written by the closing thread before it looks at {@link #ended}, read by the last thread of the
   * pool after it has set that.
   */
  private volatile @Nullable Thread closer;

  /** Written by the last thread of the pool, read by the closing thread. */
  private volatile boolean ended;

  private CallbackPool(
      int core,
      int max,
      int idleSeconds,
      BlockingQueue<Runnable> queue,
      Waiter waiter,
      ThreadFactory threads) {
    super(core, max, idleSeconds, TimeUnit.SECONDS, queue, threads);
    this.waiter = waiter;
  }

  static CallbackPool bounded(
      int threadCount, int queueSize, Waiter waiter, ThreadFactory threads) {
    if (threadCount < 1) {
      throw new IllegalArgumentException(
          "callback threads: " + threadCount + ", expected 1 or more");
    }
    if (queueSize < 0) {
      throw new IllegalArgumentException(
          "callback queue size: " + queueSize + ", expected 0 or more");
    }
    BlockingQueue<Runnable> queue =
        queueSize == 0 ? new SynchronousQueue<>() : new LinkedBlockingQueue<>(queueSize);
    CallbackPool pool = new CallbackPool(threadCount, threadCount, 10, queue, waiter, threads);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /**
   * One thread. No core thread: a task is queued first, so it is not lost when no thread can be
   * started.
   */
  static CallbackPool lastResort(Waiter waiter, ThreadFactory threads) {
    return new CallbackPool(0, 1, 1, new LinkedBlockingQueue<>(), waiter, threads);
  }

  /** Runs a task even after the close: then on the calling thread. */
  void executeAlways(Runnable task) {
    try {
      execute(task);
    } catch (RejectedExecutionException e) {
      task.run();
    } catch (Throwable e) {
      LOG.error("no thread can be started; the answer waits for the next one that is", e);
    }
  }

  /**
   * Waits until all is done, the deadline has come, or the caller is interrupted; then interrupts.
   * Returns what never started.
   */
  List<Runnable> close(Ticker ticker, long deadlineNanos) {
    Thread current = Thread.currentThread();
    closer = current;
    shutdown();
    while (!ended && ticker.nanoTime() - deadlineNanos < 0 && !current.isInterrupted()) {
      waiter.awaitUntil(deadlineNanos);
    }
    return shutdownNow();
  }

  @Override
  protected void terminated() {
    ended = true;
    Thread waiting = closer;
    if (waiting != null) {
      waiter.wake(waiting);
    }
  }
}
