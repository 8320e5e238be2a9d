// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import dev.tenrec.core.internal.timeout.Timeout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One thread's stay in a {@link CallbackShare}: runs tasks until none waits. Also the timer's node
 * for the moment by which a user's executor has to have begun it.
 */
final class Runner extends Timeout implements Runnable {

  private final CallbackShare share;

  /** Whether it is beyond the one thread that each share may have. */
  final boolean extra;

  /** Whether it has a task from the share. Written and read under the share's lock. */
  boolean atTask;

  /**
   * Written once by the thread that begins or replaces it, under the share's lock; read by any
   * thread.
   */
  private final AtomicBoolean claimed = new AtomicBoolean();

  /**
   * The thread that brings it to a user's executor, while it does; null else. Written by that
   * thread alone; any other compares it with itself and is not equal to either value, so it needs
   * no order.
   */
  private @Nullable Thread bringer;

  /** Whether the executor tried to run it on the bringing thread. That thread's alone. */
  private boolean broughtBack;

  // Written by the runner's thread, read by the closing thread, ordered by the volatile task, which
  // is written last.
  private @Nullable Thread thread;
  private long sinceNanos;
  private volatile @Nullable CallbackTask task;

  /**
   * How many tasks it has begun. Written by the runner's thread before {@link #task}, read by the
   * closing thread.
   */
  private volatile int tasks;

  /** The number of the task that the closing thread has interrupted. That thread's alone. */
  private int interrupted;

  Runner(CallbackShare share, boolean extra, long beginsByNanos) {
    super(beginsByNanos);
    this.share = share;
    this.extra = extra;
  }

  CallbackShare share() {
    return share;
  }

  boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  boolean isClaimed() {
    return claimed.get();
  }

  /** On the bringing thread: from now on until {@link #isBrought} it must not run there. */
  void bring() {
    bringer = Thread.currentThread();
  }

  /** On the bringing thread: false if the executor tried to run it there. */
  boolean isBrought() {
    bringer = null;
    return !broughtBack;
  }

  @Override
  public void run() {
    if (bringer == Thread.currentThread()) {
      broughtBack = true;
      return;
    }
    if (!share.begins(this)) {
      return;
    }
    CallbackExecutor executor = share.executor();
    thread = Thread.currentThread();
    executor.entered(this);
    try {
      CallbackTask next;
      int number = 0;
      while ((next = share.next(this)) != null) {
        sinceNanos = executor.now();
        tasks = ++number;
        task = next;
        executor.runGuarded(share, next);
        task = null;
        boolean unused = Thread.interrupted(); // one task's interrupt must not hit the next
      }
    } finally {
      executor.left(this);
    }
  }

  /** The thread, while it is at a task; null else. */
  @Nullable Thread busyThread() {
    return task == null ? null : thread;
  }

  /**
   * By the closing thread: what to end and to interrupt now. Null if that was done, for the task
   * may be at its cleaning up.
   */
  @Nullable CallbackTask takeToInterrupt() {
    int number;
    CallbackTask now;
    do {
      number = tasks;
      now = task;
    } while (number != tasks); // else it may be the one before, or the one after
    if (now == null || number == interrupted) {
      return null;
    }
    interrupted = number;
    return now;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  @Override
  protected boolean isEnded() {
    return isClaimed();
  }

  @Override
  protected void expired() {
    share.executor().threads().replace(this);
  }

  @Override
  public void closed() {
    share.executor().threads().replace(this);
  }
}
