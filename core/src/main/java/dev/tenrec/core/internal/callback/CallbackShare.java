// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import org.jspecify.annotations.Nullable;

/**
 * The threads that one command's user code gets beside those of its calls: dependents of futures,
 * fallbacks of calls that no caller waits for, cancellers, listeners of endings. A queue, and so
 * many {@linkplain Runner runners} at the most that empty it. Whatever blocks here, another
 * command's share is not affected: a share can always get one thread.
 *
 * <p>Tasks begin in the order they came. When the system has no thread for the first runner, they
 * stay in the queue, and the timer tries again.
 *
 * <p>Thread-safe. No foreign code runs under the lock, and nothing there waits, so the timer's
 * thread may call any method.
 */
public final class CallbackShare {

  private final CallbackExecutor executor;
  private final String name;

  // All of these are written and read under the lock of this.
  private final TaskQueue queue = new TaskQueue();

  /** Tasks that found no memory, linked; the next try moves them to the queue. */
  private @Nullable CallbackTask again;

  /** The runners there are: those asked for, and those that have begun. */
  private int runners;

  /** Those of them that have not begun. */
  private int asked;

  /** Those of them that are at a task: one that is not will look for the next. */
  private int atTask;

  /** How many tasks have begun. */
  private long begun;

  /** Whether the closing thread goes through those that wait. */
  private boolean aborting;

  /** How many runners more than usual there may be: closing does not wait for stuck ones. */
  private int beyond;

  /** Whether the executor has this among the shares that wait for a thread. */
  boolean kept;

  /** The next of those. Written and read as {@link KeptShares} says. */
  @Nullable CallbackShare nextKept;

  CallbackShare(CallbackExecutor executor, String name) {
    this.executor = executor;
    this.name = name;
  }

  /** What it is called in messages. */
  public String name() {
    return name;
  }

  /**
   * Runs a task on a thread of this share, as soon as there is one. Never refuses, never throws.
   */
  public void execute(CallbackTask task) {
    Runner runner;
    synchronized (this) {
      append(task);
      runner = newRunnerIfNeeded();
    }
    begin(runner);
  }

  /**
   * Runs a task on a thread of this share, as soon as there is one; a task that may as well be left
   * out.
   *
   * @return false, with nothing done, if as many tasks wait as the builder allows, or if a user's
   *     executor refuses it a thread and this share has none
   */
  public boolean offer(CallbackTask task) {
    Runner runner;
    synchronized (this) {
      if (queue.size() - asked >= executor.maxWaiting() && !mayStart()) {
        return false;
      }
      append(task);
      runner = newRunnerIfNeeded();
    }
    if (runner == null || executor.threads().start(runner, true)) {
      return true;
    }
    synchronized (this) {
      asked--;
      boolean removed = runners == 1 && queue.remove(task);
      lostRunner(runner);
      return !removed;
    }
  }

  /**
   * Runs a task once more, after a while, because it has found no memory or no stack. Takes none,
   * and throws nothing. Closing tries it, too.
   */
  public void executeLater(CallbackTask task) {
    if (executor.isShut()) {
      execute(task);
      return;
    }
    synchronized (this) {
      if (queue.isEmpty() && runners == 0 && again == null) {
        executor.activated();
      }
      task.next = again;
      again = task;
      keep();
    }
    if (executor.isShut()) { // by now: closing may have had its last look before it was kept
      executor.kept().retryAll(true);
    }
  }

  /**
   * Whether a task that waits now has to wait for user code: every thread of this share is at a
   * task, and none is on its way.
   */
  public synchronized boolean isBlocked() {
    return runners > 0 && atTask == runners && !mayStart();
  }

  CallbackExecutor executor() {
    return executor;
  }

  /** How many tasks have begun so far: while that rises, the share is busy and not blocked. */
  public synchronized long begun() {
    return begun;
  }

  /** Tasks that wait for a thread. */
  public synchronized int waiting() {
    return queue.size();
  }

  /** Threads there are, or that were asked for. */
  public synchronized int threads() {
    return runners;
  }

  // called under the lock
  private void append(CallbackTask task) {
    boolean idle = queue.isEmpty() && runners == 0 && again == null;
    queue.add(task);
    if (idle) {
      executor.activated();
    }
  }

  private boolean mayStart() {
    return runners == 0
        || runners < executor.maxThreadsOfOne() + beyond && executor.mayTakeExtra(beyond > 0);
  }

  /** Null if those there are will do, or no more are allowed, or there is no memory for one. */
  private @Nullable Runner newRunnerIfNeeded() {
    if (queue.size() <= asked || !mayStart()) {
      return null;
    }
    boolean extra = runners > 0;
    Runner runner;
    try {
      runner = new Runner(this, extra, executor.patienceEnd());
    } catch (OutOfMemoryError e) {
      keep(); // the runners there are may be stuck
      return null;
    }
    if (extra && !executor.takeExtra(beyond > 0)) {
      return null;
    }
    runners++;
    asked++;
    return runner;
  }

  private void begin(@Nullable Runner runner) {
    if (runner != null && !executor.threads().start(runner, false)) {
      synchronized (this) {
        asked--;
        lostRunner(runner);
      }
    }
  }

  // called under the lock
  private void lostRunner(Runner runner) {
    runners--;
    if (runner.extra) {
      executor.giveExtra();
    }
    if (runners == 0 && queue.isEmpty()) { // the others did all there was, and left before this one
      idle();
    } else {
      keepIfNobodyRuns();
    }
  }

  // called under the lock
  private void idle() {
    beyond = 0;
    if (again == null) {
      executor.deactivated();
    }
  }

  // called under the lock
  private void keepIfNobodyRuns() {
    if (runners == 0 && !queue.isEmpty()) {
      keep();
    }
  }

  // called under the lock
  private void keep() {
    if (!kept) {
      kept = true;
      executor.kept().keep(this);
    }
  }

  /**
   * There may be threads again; and memory, if some time has passed.
   *
   * @param later whether it has: by the timer's thread, or the closing one
   */
  void retry(boolean later) {
    Runner runner;
    synchronized (this) {
      kept = false;
      if (later) {
        queueAgain();
      } else if (again != null) {
        keep();
      }
      runner = newRunnerIfNeeded();
    }
    begin(runner);
  }

  // called under the lock
  private void queueAgain() {
    CallbackTask task;
    while ((task = again) != null) {
      CallbackTask after = task.next;
      queue.add(task);
      again = after;
    }
  }

  /** The closing thread found all threads of this share stuck: what still waits gets one more. */
  void grow() {
    Runner runner;
    synchronized (this) {
      if (queue.isEmpty() || asked > 0) {
        return;
      }
      beyond = runners + 1 - Math.min(runners, executor.maxThreadsOfOne());
      runner = newRunnerIfNeeded();
    }
    begin(runner);
  }

  /** The closing thread has what waits end what callers may wait for; it stays in the queue. */
  void abortWaiting() {
    CallbackTask task;
    synchronized (this) {
      aborting = true;
      task = queue.first();
    }
    while (task != null) {
      executor.abort(task);
      synchronized (this) {
        task = task.next;
      }
    }
  }

  // By its runners.

  /** A runner is on its thread. False if another one was made in its place. */
  synchronized boolean begins(Runner runner) {
    if (!runner.claim()) {
      return false;
    }
    asked--;
    return true;
  }

  /** A runner was refused. False if it has begun nevertheless. */
  synchronized boolean withdraws(Runner runner) {
    return runner.claim();
  }

  /**
   * The executor has taken a runner and not begun it in time: a thread of ours is made for it.
   *
   * @return null if it has begun
   */
  synchronized @Nullable Runner replace(Runner late) {
    if (late.isClaimed()) {
      return null;
    }
    Runner instead = new Runner(this, late.extra, late.deadlineNanos()); // first: it may throw
    boolean unused = late.claim();
    return instead;
  }

  /** There is no thread for a runner that was to take the place of another. */
  void begunNowhere(Runner runner) {
    synchronized (this) {
      asked--;
      lostRunner(runner);
    }
  }

  /** The next task; null if there is none, and this runner has left. */
  synchronized @Nullable CallbackTask next(Runner runner) {
    if (runner.atTask) {
      runner.atTask = false;
      atTask--;
    }
    CallbackTask task = queue.take();
    if (task == null) {
      runners--;
      if (runner.extra) {
        executor.giveExtra();
      }
      if (runners == 0) {
        idle();
      }
      return null;
    }
    if (!aborting) {
      task.next = null; // it may be kept for long, and must not keep what came after it
    }
    begun++;
    runner.atTask = true;
    atTask++;
    return task;
  }
}
