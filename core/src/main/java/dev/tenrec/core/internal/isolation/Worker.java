// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * One thread's life in a {@link WorkerPool}: run what the pool says, park when it says so, end when
 * it has nothing any more.
 */
final class Worker implements Runnable {

  /**
   * How often a worker looks whether it is needed before it sleeps: about a microsecond, a tenth of
   * what going to sleep and being woken costs. A caller that comes back at once then pays for
   * neither (ThreadPoolExecution with one caller).
   */
  private static final int LOOKS = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 50;

  private final WorkerPool pool;
  private final Ticker ticker;
  private final Waiter waiter;

  // written by the worker's thread before it first takes the pool's lock, read by threads that met
  // the worker under that lock
  @Nullable Thread thread;

  // what it runs, and since when: written and read under the pool's lock
  @Nullable Task task;
  long sinceNanos;

  // set by the thread that took the worker off the idle ones, after that; cleared by the worker
  // under the lock before it joins the idle ones. One set late ends the next wait early, which does
  // no harm
  private volatile boolean woken;

  // written by the worker: set before it looks at woken and waits, cleared under the lock; read by
  // the thread that woke it, after that, and under the lock, as a hint, by the thread that picks a
  // worker to wake; ordered by volatile access, so that one of the two sees the other
  private volatile boolean asleep;

  Worker(WorkerPool pool, Ticker ticker, Waiter waiter) {
    this.pool = pool;
    this.ticker = ticker;
    this.waiter = waiter;
  }

  @Override
  public void run() {
    thread = Thread.currentThread();
    boolean orderly = false;
    try {
      while (runNext()) {
        // all is said there
      }
      orderly = true;
    } finally {
      if (!orderly) {
        pool.died(this);
      }
    }
  }

  /** In a frame of its own: a thread that parks must not keep its last task by a local. */
  private boolean runNext() {
    Task next = pool.next(this);
    if (next == null) {
      return false;
    }
    runGuarded(next);
    return true;
  }

  void willPark() {
    woken = false;
    asleep = false;
  }

  boolean isAsleep() {
    return asleep;
  }

  /**
   * Waits until woken or {@code deadlineNanos} has come; returns whether it has. An interrupt meant
   * for an earlier task is dropped.
   */
  boolean park(long deadlineNanos) {
    for (int i = 0; i < LOOKS; i++) {
      if (woken) {
        return false;
      }
      Thread.onSpinWait();
    }
    asleep = true;
    while (!woken) {
      if (deadlineNanos != Waiter.FOREVER && ticker.nanoTime() - deadlineNanos >= 0) {
        return true;
      }
      waiter.awaitUntil(deadlineNanos);
      dropInterrupt();
    }
    return false;
  }

  void wake() {
    woken = true;
    if (asleep && thread != null) {
      waiter.wake(thread);
    }
  }

  @SuppressWarnings("ReturnValueIgnored")
  static void dropInterrupt() {
    Thread.interrupted();
  }

  private void runGuarded(Task next) {
    try {
      next.run();
    } catch (Throwable e) {
      pool.threw(e);
    }
  }
}
