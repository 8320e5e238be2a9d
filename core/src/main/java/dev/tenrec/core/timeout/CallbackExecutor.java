// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.timeout;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a call goes on when nobody waits for it and its work does not bring it to an end:
 * fallbacks, cancellers and the completion of futures of calls that timed out.
 *
 * <p>Bounded, because these are a user's code and may be slow. When it is full the call ends with
 * its first cause, without its fallback; that bare answer is delivered by {@link #overflow}, on a
 * thread of last resort. The timer thread is no alternative: completing a future runs whatever the
 * user has hung on it, and one that blocks there would hold up every other deadline.
 *
 * <p>Thread-safe.
 */
public final class CallbackExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(CallbackExecutor.class);

  /** How many tasks may wait, unless set. */
  public static final int DEFAULT_QUEUE_SIZE = 1_000;

  private final Executor executor;
  private final @Nullable CallbackPool ownPool;
  private final CallbackPool lastResort;
  private final Ticker ticker;

  /** Added to by any thread that is refused, read by displays. */
  private final LongAdder refused = new LongAdder();

  private CallbackExecutor(
      Executor executor,
      @Nullable CallbackPool ownPool,
      Ticker ticker,
      Waiter waiter,
      ThreadFactory threads) {
    this.executor = executor;
    this.ownPool = ownPool;
    this.ticker = ticker;
    this.lastResort = CallbackPool.lastResort(waiter, threads);
  }

  /**
   * An executor with threads of its own, started on demand, which end after ten idle seconds.
   *
   * @param threadCount how many at the most, 1 or more; see {@link #defaultThreads}
   * @param queueSize how many tasks may wait while all threads are busy, 0 or more
   * @param ticker the scale of {@link #close}'s deadline, as is {@code waiter}'s
   * @param threads makes the threads, and the one of last resort
   */
  public static CallbackExecutor bounded(
      int threadCount, int queueSize, Ticker ticker, Waiter waiter, ThreadFactory threads) {
    CallbackPool pool = CallbackPool.bounded(threadCount, queueSize, waiter, threads);
    return new CallbackExecutor(pool, pool, ticker, waiter, threads);
  }

  /**
   * A user's executor, which is not closed with this. It is called on the timer thread: it must not
   * block. One that would run a task on the thread that brings it (caller runs, direct) counts as
   * full for that task.
   *
   * @param threads makes the thread of last resort
   */
  public static CallbackExecutor of(
      Executor executor, Ticker ticker, Waiter waiter, ThreadFactory threads) {
    return new CallbackExecutor(executor, null, ticker, waiter, threads);
  }

  /**
   * Four times the processors, 32 at the least: callbacks wait more than they compute, and the
   * fallbacks of one command, ten at once unless set, must leave room for those of others.
   */
  public static int defaultThreads() {
    return Math.max(32, 4 * Runtime.getRuntime().availableProcessors());
  }

  /**
   * Has a task run by another thread. What the task throws is logged.
   *
   * @return false if it will not run, because there is no room or the executor failed; that is
   *     counted
   */
  public boolean tryExecute(Runnable task) {
    if (offer(task)) {
      return true;
    }
    refused.increment();
    return false;
  }

  /**
   * The same for what does not belong to a call and may as well be left out: that it was refused is
   * not counted.
   */
  public boolean offer(Runnable task) {
    HandedOver handedOver = HandedOver.byCaller(task);
    boolean threw = true;
    try {
      executor.execute(handedOver);
      threw = false;
    } catch (RejectedExecutionException e) {
      // full: what it is bounded for
    } catch (Throwable e) {
      LOG.warn("the callback executor failed to take a task", e);
    }
    return !handedOver.isRefused(threw);
  }

  /**
   * Delivers a bare answer that {@link #tryExecute} has refused: on one thread, in order, however
   * many there are; each belongs to a call, so there are no more than calls in flight. The thread
   * starts on demand and ends when idle for a second. After {@link #close} the calling thread
   * delivers.
   */
  public void overflow(Runnable answer) {
    lastResort.executeAlways(HandedOver.toAnybody(answer));
  }

  /** Counts a task that had room, but was not begun in time, as refused. */
  public void countLate() {
    refused.increment();
  }

  /** How many tasks were refused, or not begun in time. */
  public long refused() {
    return refused.sum();
  }

  /**
   * Takes no more, lets what it has come to an end, interrupts what has not by the deadline. A
   * user's executor is left as it is.
   *
   * @param deadlineNanos how long to wait at the most, on the ticker's scale
   * @return tasks that never started: their owners have to answer without them
   */
  public List<Runnable> close(long deadlineNanos) {
    List<Runnable> left = new ArrayList<>();
    if (ownPool != null) {
      left.addAll(ownPool.close(ticker, deadlineNanos));
    }
    left.addAll(lastResort.close(ticker, deadlineNanos));
    left.replaceAll(task -> task instanceof HandedOver handedOver ? handedOver.task() : task);
    return left;
  }
}
