// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import dev.tenrec.core.internal.text.LogText;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.core.internal.timeout.Timer.FailureListener;
import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where user code runs that belongs to a call but to no thread of its own. Every command has a
 * {@link CallbackShare}; the first thread of each share is always granted, and all further ones
 * come out of one number. So nothing that blocks in one command's share holds up another's.
 *
 * <p>The threads are ours, started on demand, or those of a user's executor. One that refuses a
 * runner, throws, or has not begun it within {@link #PATIENCE} is passed over: a thread of ours
 * runs it.
 *
 * <p>Thread-safe. Only {@link #close} waits.
 */
public final class CallbackExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(CallbackExecutor.class);

  /** How many tasks of one command may wait, unless set. */
  public static final int DEFAULT_QUEUE_SIZE = 1_000;

  /**
   * How long a task that is waited for may wait for a thread while those of its share are blocked,
   * and a user's executor may take to begin a runner.
   */
  public static final Duration PATIENCE = Duration.ofMillis(50);

  static final long PATIENCE_NANOS = PATIENCE.toNanos();

  private final RunnerThreads threads;
  private final int maxThreads;
  private final int maxWaiting;
  private final Ticker ticker;
  private final Waiter waiter;
  private final StartFailure failure = new StartFailure();
  private final KeptShares kept;

  /** Threads beyond the first of each share that may still be asked for. By any thread. */
  private final AtomicInteger extras;

  /** Shares with a task or a runner. Raised and lowered under their locks, read by closing. */
  private final AtomicInteger active = new AtomicInteger();

  /** On their threads. Added to and removed from by these, read by closing. */
  private final Set<Runner> runners = ConcurrentHashMap.newKeySet();

  /** Written by the threads that were refused, read by displays, in no order. */
  private final LongAdder refused = new LongAdder();

  /**
   * Written by the closing thread before it looks at {@link #active}, read by the last runner of a
   * share after it has lowered {@link #active}, ordered by volatile access. At least one of the two
   * threads sees what the other did.
   */
  private volatile @Nullable Thread closer;

  private CallbackExecutor(
      @Nullable Executor users,
      int maxThreads,
      int maxWaiting,
      Timer timer,
      Ticker ticker,
      Waiter waiter,
      ThreadFactory factory) {
    this.threads = new RunnerThreads(users, factory, timer, failure);
    this.kept = new KeptShares(timer, ticker, failure);
    this.maxThreads = maxThreads;
    this.maxWaiting = maxWaiting;
    this.ticker = ticker;
    this.waiter = waiter;
    this.extras = new AtomicInteger(maxThreads);
  }

  /**
   * An executor with threads of its own, which end after ten idle seconds.
   *
   * @param threadCount how many beyond the first of each all shares may have together, of which one
   *     share may have half: 1 or more; see {@link #defaultThreads}
   * @param queueSize how many tasks of one share may wait that may as well be left out, 0 or more
   * @param timer tries again what found no thread; on the ticker's scale
   * @param ticker the scale of {@link #close}'s deadline, as is {@code waiter}'s
   * @param threads makes the threads
   */
  public static CallbackExecutor bounded(
      int threadCount,
      int queueSize,
      Timer timer,
      Ticker ticker,
      Waiter waiter,
      ThreadFactory threads) {
    if (threadCount < 1) {
      throw new IllegalArgumentException(
          "callback threads: " + threadCount + ", expected 1 or more");
    }
    if (queueSize < 0) {
      throw new IllegalArgumentException(
          "callback queue size: " + queueSize + ", expected 0 or more");
    }
    return new CallbackExecutor(null, threadCount, queueSize, timer, ticker, waiter, threads);
  }

  /**
   * A user's executor, which is not closed with this. It is called on the timer thread: it must not
   * block. One that would run a runner on the thread that brings it (caller runs, direct) has
   * refused that runner.
   *
   * @param threads makes the threads for what it refuses, drops, or does not begin in time
   */
  public static CallbackExecutor of(
      Executor executor, Timer timer, Ticker ticker, Waiter waiter, ThreadFactory threads) {
    return new CallbackExecutor(
        executor, defaultThreads(), DEFAULT_QUEUE_SIZE, timer, ticker, waiter, threads);
  }

  /**
   * Four times the processors, 32 at the least: callbacks wait more than they compute, and ten
   * fallbacks of a command run at once unless set.
   */
  public static int defaultThreads() {
    return Math.max(32, 4 * Runtime.getRuntime().availableProcessors());
  }

  /**
   * A share of these threads.
   *
   * @param name what it is called in messages
   */
  public CallbackShare newShare(String name) {
    return new CallbackShare(this, name);
  }

  /** Counts a task that a share refused, or that was withdrawn before it began. */
  public void countRefused() {
    refused.increment();
  }

  /** How many tasks were refused, or not begun in time. */
  public long refused() {
    return refused.sum();
  }

  /** Has failures reported there. To be called once, before the first task. */
  public void reportFailures(FailureListener listener) {
    failure.reportTo(listener);
  }

  /** What user code did not end. */
  public record Stuck(String thread, String name, long sinceNanos) {}

  /**
   * Waits until nothing waits or runs, {@code deadlineNanos} has come, or the caller is interrupted
   * (the flag stays). For the one thread that closes.
   *
   * @param deadlineNanos on the ticker's scale
   */
  public void awaitQuiet(long deadlineNanos) {
    kept.retryAll(true);
    await(deadlineNanos);
  }

  /**
   * Lets what there is come to an end. From the deadline on it interrupts our threads that are at a
   * task, once for each task, has the tasks that wait or run {@linkplain CallbackTask#abort end}
   * what callers may wait for, and gives what waits behind a stuck thread another one. Later tasks
   * still run, each on a thread made for it.
   *
   * @param deadlineNanos how long to wait before that, on the ticker's scale
   * @param lastNanos how long to wait after it, on the ticker's scale
   * @return the threads that are still at a task
   */
  public List<Stuck> close(long deadlineNanos, long lastNanos) {
    kept.retryAll(true);
    await(deadlineNanos);
    threads.shutdown();
    if (active.get() != 0) {
      runners.forEach(this::abortAndInterrupt);
      while (active.get() != 0 && ticker.nanoTime() - lastNanos < 0) {
        kept.abortWaiting();
        kept.retryAll(true);
        helpWaiting();
        long now = ticker.nanoTime();
        await(now + Math.min(lastNanos - now, PATIENCE_NANOS));
        if (Thread.currentThread().isInterrupted()) {
          break;
        }
        runners.forEach(this::abortAndInterrupt); // those, too, that have begun since
      }
      kept.abortWaiting();
    }
    List<Stuck> left =
        runners.stream().filter(runner -> runner.busyThread() != null).map(this::stuck).toList();
    if (left.isEmpty()) {
      threads.awaitEnd(Math.max(lastNanos - ticker.nanoTime(), 0));
    }
    return left;
  }

  /** What waits behind stuck threads gets one more. */
  private void helpWaiting() {
    for (Runner runner : runners) {
      runner.share().grow();
    }
  }

  private void abortAndInterrupt(Runner runner) {
    runner.share().abortWaiting();
    CallbackTask task = runner.takeToInterrupt();
    if (task == null) {
      return;
    }
    abort(task);
    Thread busy = runner.busyThread();
    if (busy != null) {
      threads.interrupt(busy);
    }
  }

  private Stuck stuck(Runner runner) {
    Thread busy = runner.busyThread();
    return new Stuck(
        busy == null ? "none" : busy.getName(), runner.share().name(), runner.sinceNanos());
  }

  private void await(long deadlineNanos) {
    Thread current = Thread.currentThread();
    closer = current;
    try {
      while (active.get() != 0
          && ticker.nanoTime() - deadlineNanos < 0
          && !current.isInterrupted()) {
        waiter.awaitUntil(deadlineNanos);
      }
    } finally { // it is the user's thread, and what is closed may be kept
      closer = null;
    }
  }

  // For the shares and their runners.

  /** One, and half of those beyond the first of each share: the others need some as well. */
  int maxThreadsOfOne() {
    return 1 + maxThreads / 2;
  }

  int maxWaiting() {
    return maxWaiting;
  }

  boolean mayTakeExtra(boolean closing) {
    return closing || extras.get() > 0;
  }

  boolean takeExtra(boolean closing) {
    if (closing) {
      extras.getAndDecrement();
      return true;
    }
    int seen;
    do {
      seen = extras.get();
      if (seen <= 0) {
        return false;
      }
    } while (!extras.compareAndSet(seen, seen - 1));
    return true;
  }

  void giveExtra() {
    extras.getAndIncrement();
  }

  void activated() {
    active.getAndIncrement();
  }

  void deactivated() {
    if (active.decrementAndGet() == 0) {
      Thread waiting = closer;
      if (waiting != null) {
        waiter.wake(waiting);
      }
    }
  }

  RunnerThreads threads() {
    return threads;
  }

  KeptShares kept() {
    return kept;
  }

  long now() {
    return ticker.nanoTime();
  }

  long patienceEnd() {
    return ticker.nanoTime() + PATIENCE_NANOS;
  }

  void entered(Runner runner) {
    try {
      runners.add(runner);
      if (!kept.isEmpty()) { // there are threads again
        kept.retryAll(false);
      }
      failure.report();
    } catch (Throwable e) { // no memory: closing does not see this runner
      failure.keep(e);
    }
  }

  void left(Runner runner) {
    runners.remove(runner);
  }

  void runGuarded(CallbackShare share, CallbackTask task) {
    try {
      task.run();
    } catch (VirtualMachineError e) { // no memory, no stack
      if (task.runsAgain()) {
        runLater(share, task);
      } else {
        warn(share, e);
      }
    } catch (Throwable e) {
      warn(share, e);
    }
  }

  private void runLater(CallbackShare share, CallbackTask task) {
    if (isShut()) { // there is no timer any more, and soon no closing thread: this one waits
      waiter.awaitUntil(patienceEnd());
    }
    share.executeLater(task);
  }

  /** Whether closing has given up what is left to itself: nobody tries anything again. */
  boolean isShut() {
    return threads.isShutdown();
  }

  void abort(CallbackTask task) {
    try {
      task.abort();
    } catch (Throwable e) { // nothing of ours may throw there; the next task is ended in any case
      failure.keep(e);
    }
  }

  private static void warn(CallbackShare share, Throwable thrown) {
    try {
      LOG.warn("{}: a callback failed", LogText.of(share.name()), thrown);
    } catch (Throwable loggers) { // no memory, no stack: there is nothing left to do
      return;
    }
  }
}
