// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run tasks. How many tasks are in the pool is bounded by {@link #permits()}, which
 * the caller takes before it submits and the task gives back when its work has stopped; so a
 * submitted task always has a place, and the pool itself refuses no task.
 *
 * <p>A task is taken by an idle thread; else it starts a thread while there are fewer than {@link
 * PoolLimits#core()}; else it waits; and when more than {@link PoolLimits#queue()} wait, a thread
 * is started while there are fewer than {@link PoolLimits#maximum()}.
 *
 * <p>Thread-safe. No method but {@link #awaitQuiet} waits for anything but the pool's one lock,
 * under which nothing slow or foreign runs (only {@link Task#isAbandoned}, and seldom the wake-up
 * of a thread). Two things hold whenever the lock is free. First, no more tasks wait than threads
 * are ready for them, or the limits allow no further thread. Second, no thread sleeps, or the queue
 * holds no more tasks than there are threads awake or about to be woken by a submitter that has
 * left the lock. A queue with locks of its own would be no faster, because what the way through a
 * pool costs is the wake-up of threads.
 */
public final class WorkerPool {

  private final String key;
  private final Permits permits;
  private final ThreadFactory factory;
  private final Ticker ticker;
  private final Waiter waiter;
  private final ThreadStartRetry aid;
  private final Runnable nextTry = this::retry; // made now: later there may be no memory

  private final ReentrantLock lock = new ReentrantLock();

  // all four are written and read under the lock
  private final WorkerQueue queue;
  private boolean shutdown;

  /** Whether {@link ThreadStartRetry#later} has taken a try that has not come yet. */
  private boolean retryComes;

  private final Set<Thread> awaitingQuiet = new HashSet<>();

  /**
   * A pool without threads: they come with the tasks.
   *
   * @param key the pool's name, for messages
   * @param factory makes its threads; the pool starts each of them, once
   * @param aid tries again later when no thread could be started, and has it logged
   */
  public WorkerPool(
      String key,
      PoolLimits limits,
      ThreadFactory factory,
      Ticker ticker,
      Waiter waiter,
      ThreadStartRetry aid) {
    this.key = key;
    this.queue = new WorkerQueue(limits);
    this.permits = new Permits(limits.permits());
    this.factory = factory;
    this.ticker = ticker;
    this.waiter = waiter;
    this.aid = aid;
  }

  /** One for each task that may be in the pool, running or waiting. */
  public Permits permits() {
    return permits;
  }

  /**
   * Hands over a task, whose permit the caller has taken.
   *
   * @return false, with nothing done, when the pool is {@linkplain #shutdown() shut down}; else the
   *     task will be run, abandoned, or returned by {@code shutdown}
   * @throws RuntimeException from the thread factory, if no other thread can run the task. The task
   *     waits nevertheless, so the caller has to abandon it as if it had timed out. Tasks that
   *     counted on that thread wait until one can be started, which is {@linkplain
   *     ThreadStartRetry#later tried again}
   * @throws Error when the JVM has no thread to give; the task waits then, too
   */
  public boolean submit(Task task) {
    Worker woken;
    Worker started = null;
    lock.lock();
    try {
      if (shutdown) {
        return false;
      }
      queue.add(task);
      woken = queue.takeIdle();
      if (woken == null && queue.mayStart()) {
        started = newWorker();
      }
    } finally {
      lock.unlock();
    }
    if (woken != null) {
      woken.wake();
    } else if (started != null) {
      startFor(started);
    }
    return true;
  }

  /**
   * Says that a task of this pool was abandoned: it never runs, and no longer counts as waiting.
   * Its place in the queue is cleared later, together with others', so this costs a constant
   * however many wait.
   */
  public void abandoned() {
    lock.lock();
    try {
      queue.abandoned();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Changes the sizes, up or down, without waiting for any task. Surplus idle threads end now,
   * surplus busy ones after their task. Tasks that wait already stay, even if they are more than
   * the new queue takes.
   */
  public void resize(PoolLimits limits) {
    List<Worker> woken;
    lock.lock();
    try {
      queue.limits = limits;
      permits.resize(limits.permits());
      woken = queue.takeAllIdle();
    } finally {
      lock.unlock();
    }
    wake(woken);
    startWhereAllowed();
  }

  /**
   * Takes no task any more, and lets each thread end that has none. A second call does nothing.
   *
   * @return the tasks that waited: the caller abandons them, as if they had timed out
   */
  public List<Task> shutdown() {
    List<Worker> woken;
    List<Task> left;
    lock.lock();
    try {
      shutdown = true;
      left = queue.live();
      woken = queue.takeAllIdle();
      queue.clear(); // last: without memory for the lists nothing is lost, and it is asked again
    } finally {
      lock.unlock();
    }
    wake(woken);
    return left;
  }

  /** Takes no memory: nobody else would wake them. */
  private static void wake(List<Worker> idle) {
    for (int i = 0; i < idle.size(); i++) {
      idle.get(i).wake();
    }
  }

  /**
   * Interrupts each thread that runs a task. Only after {@link #shutdown}: no task comes next that
   * it could hit. An interrupt may close a channel and wait for that, so no lock is held.
   */
  public void interruptAll() {
    stuck().forEach(busy -> busy.thread().interrupt());
  }

  /**
   * Waits until the pool has no thread, {@code deadlineNanos} has come, or the caller is
   * interrupted (the flag stays). Of use after {@link #shutdown()}.
   *
   * @param deadlineNanos on the ticker's scale, or {@link Waiter#FOREVER}
   * @return whether the pool has no thread
   */
  public boolean awaitQuiet(long deadlineNanos) {
    Thread current = Thread.currentThread();
    while (true) {
      lock.lock();
      try {
        boolean quiet = queue.threads() == 0;
        if (quiet || current.isInterrupted() || reached(deadlineNanos)) {
          awaitingQuiet.remove(current);
          return quiet;
        }
        awaitingQuiet.add(current);
      } finally {
        lock.unlock();
      }
      waiter.awaitUntil(deadlineNanos);
    }
  }

  /** The threads that run a task now, in no order; after closing, those that are stuck in one. */
  public List<BusyThread> stuck() {
    lock.lock();
    try {
      return queue.busy();
    } finally {
      lock.unlock();
    }
  }

  /** All numbers at one moment. */
  public PoolState state() {
    lock.lock();
    try {
      return queue.state();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The most threads that ran a task at once since this was last asked for; starts again from those
   * that do so now.
   */
  public int takeMostActive() {
    lock.lock();
    try {
      return queue.takeMostActive();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The worker's next task, for which it may have to wait; ends the account of the one before.
   *
   * @return null if the worker has to end; the pool has forgotten it then
   */
  @Nullable Task next(Worker worker) {
    boolean idleForLong = false;
    lock.lock();
    try {
      queue.finish(worker);
      while (!queue.isOvercrowded()) {
        long nowNanos = ticker.nanoTime();
        Task task = queue.begin(worker, nowNanos);
        if (task != null) {
          // here, where no interrupt can come for this task yet: one left over from the last task
          // must not hit it
          Worker.dropInterrupt();
          return task;
        }
        if (shutdown || (idleForLong && queue.isAboveCore())) {
          break;
        }
        long deadlineNanos =
            queue.isAboveCore() ? nowNanos + queue.limits.keepAliveNanos() : Waiter.FOREVER;
        worker.willPark();
        queue.park(worker);
        lock.unlock();
        try {
          idleForLong = worker.park(deadlineNanos);
        } finally {
          lock.lock();
        }
        // if it was woken at the last moment after all, there may be a task
        idleForLong &= queue.unpark(worker);
      }
      // under one lock with the look at the queue, or a task could count on a worker that is
      // leaving
      retire(worker);
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a worker out whose thread died of an error. */
  void died(Worker worker) {
    lock.lock();
    try {
      queue.finish(worker);
      retire(worker);
    } finally {
      lock.unlock();
    }
    startWhereAllowed();
  }

  /** A task broke its contract. */
  void threw(Throwable error) {
    report("a task threw, its thread goes on", error);
  }

  /** Places taken in the queue, those of dead tasks included. */
  int entries() {
    lock.lock();
    try {
      return queue.entries();
    } finally {
      lock.unlock();
    }
  }

  // called under the lock
  private Worker newWorker() {
    Worker worker = new Worker(this, ticker, waiter);
    queue.join(worker);
    return worker;
  }

  // called under the lock
  private void retire(Worker worker) {
    queue.leave(worker);
    // a task may have counted on it
    Worker instead = queue.takeIdle();
    if (instead != null) {
      instead.wake();
    }
    if (queue.threads() == 0) {
      awaitingQuiet.forEach(waiter::wake);
    }
  }

  private void startFor(Worker worker) {
    try {
      start(worker);
    } catch (Throwable e) { // the system has no thread to give, or no memory
      // other tasks may have counted on it
      startWhereAllowed();
      if (state().threads() == 0) {
        throw e;
      }
      report("could not start a thread, tasks wait for those there are", e);
    }
  }

  /** Throws nothing: what waits is kept when there is no thread for it, and tried again later. */
  private void startWhereAllowed() {
    try {
      Worker started;
      while ((started = newWorkerIfAllowed()) != null) {
        start(started);
      }
    } catch (Throwable e) { // the system has no thread to give, or no memory
      tryLater(e);
    }
  }

  private @Nullable Worker newWorkerIfAllowed() {
    lock.lock();
    try {
      return shutdown || !queue.mayStart() ? null : newWorker();
    } finally {
      lock.unlock();
    }
  }

  /** There was no thread for what waits: the aid's next try may find one. */
  private void tryLater(Throwable why) {
    lock.lock();
    try {
      if (shutdown || retryComes || !queue.isShort()) {
        return;
      }
      retryComes = true; // first: the aid may call at once
    } finally {
      lock.unlock();
    }
    boolean comes = false;
    try {
      comes = aid.later(nextTry);
    } catch (Throwable e) { // no memory, no timer: the next task that comes tries, or closing
      report("could not have a start of threads tried again", e);
    } finally {
      if (!comes) {
        forgetRetry();
      }
    }
    report("could not start a thread, tasks wait for the next one", why);
  }

  private void forgetRetry() {
    lock.lock();
    try {
      retryComes = false;
    } finally {
      lock.unlock();
    }
  }

  /** By the aid: there may be threads again. */
  private void retry() {
    forgetRetry();
    startWhereAllowed();
  }

  private void report(String what, Throwable thrown) {
    try {
      aid.failed("pool " + key + ": " + what, thrown);
    } catch (Throwable again) { // no memory to say so
      return;
    }
  }

  private void start(Worker worker) {
    boolean started = false;
    try {
      factory.newThread(worker).start();
      started = true;
    } finally {
      if (!started) {
        lock.lock();
        try {
          retire(worker);
        } finally {
          lock.unlock();
        }
      }
    }
  }

  private boolean reached(long deadlineNanos) {
    return deadlineNanos != Waiter.FOREVER && ticker.nanoTime() - deadlineNanos >= 0;
  }
}
