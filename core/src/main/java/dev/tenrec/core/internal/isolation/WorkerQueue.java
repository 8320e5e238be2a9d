// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a {@link WorkerPool} and the tasks that wait: the rules by which threads come and
 * go, without any thread. Not thread-safe: all of it is read and written under the pool's lock.
 */
final class WorkerQueue {

  // dead entries may outnumber the live ones by this before they are swept out: each sweep is paid
  // for by as many abandonments
  private static final int DEAD_MARGIN = 64;

  PoolLimits limits;
  private final ArrayDeque<Task> queue = new ArrayDeque<>();
  // tasks that wait: raised by submit, lowered for each task either where it begins or where it is
  // reported abandoned, which may be before it is submitted. Those in the queue above this number
  // are dead
  private int waiting;
  // a list, because it takes its memory before it has the worker: a set has it by then
  private final List<Worker> workers = new ArrayList<>();
  // parked workers, the last one first
  private final ArrayDeque<Worker> idle = new ArrayDeque<>();
  // workers without a task: parked, woken (or about to be, by a submitter that has left the lock),
  // or just started. Each looks at the queue before it parks (again), or leaves
  private int ready;
  private int largest;
  private int mostActive;
  private long completed;

  WorkerQueue(PoolLimits limits) {
    this.limits = limits;
  }

  void add(Task task) {
    // first: should the queue find no memory to grow, the task is reported abandoned, which lowers
    // it
    waiting++;
    try {
      queue.addLast(task);
    } catch (OutOfMemoryError e) {
      if (queue.peekLast() == task) { // it has that by now, and no order until it is out again
        queue.pollLast();
      }
      throw e;
    }
  }

  /**
   * Whether there are more tasks than workers ready for them, and the limits allow one worker more.
   */
  boolean mayStart() {
    // with a core of 0 there has to be a first thread nevertheless, or tasks would wait for ever in
    // a queue that is not full. Below the core a dead task may start a thread, too: it does no
    // harm, and waiting may be too low for a moment
    return threads() < Math.max(1, limits.core())
        ? queue.size() > ready
        : waiting - ready > limits.queue() && threads() < limits.maximum();
  }

  /** What {@link #mayStart} says once dead tasks are swept out: dead tasks need no thread. */
  boolean isShort() {
    queue.removeIf(Task::isAbandoned);
    return mayStart();
  }

  void join(Worker worker) {
    workers.add(worker);
    ready++;
    largest = Math.max(largest, threads());
  }

  /** Takes out a worker that has no task. */
  void leave(Worker worker) {
    idle.remove(worker);
    workers.remove(worker);
    ready--;
  }

  boolean isOvercrowded() {
    return threads() > limits.maximum();
  }

  boolean isAboveCore() {
    return threads() > limits.core();
  }

  void park(Worker worker) {
    try {
      idle.addFirst(worker);
    } catch (OutOfMemoryError e) {
      if (idle.peekFirst() == worker) { // as in the queue
        idle.pollFirst();
      }
      throw e;
    }
  }

  /** False if a thread took it off to wake it. */
  boolean unpark(Worker worker) {
    return idle.remove(worker);
  }

  /**
   * The worker to wake, now that a task waits; null if there is none, or if as many are awake as
   * there are tasks in the queue, dead ones included: each of them empties it before it parks.
   *
   * <p>The last one first: it may not sleep yet, and what it needs is likely to be in a cache
   * still. Those at the bottom of a pool above its core stay idle long enough to end.
   *
   * <p>But they take turns where no worker is at a task, the last one sleeps and none is surplus.
   * The scheduler wakes a thread where it last ran, and a thread that is always picked may be at
   * the wrong processor for good. With one caller on two processors a call then takes from 0.4 to 3
   * times as long (ThreadPoolExecution).
   */
  @Nullable Worker takeIdle() {
    Worker last = idle.peekFirst();
    if (last == null || queue.size() <= ready - idle.size()) {
      return null;
    }
    return active() > 0 || isAboveCore() || !last.isAsleep() ? idle.pollFirst() : idle.pollLast();
  }

  List<Worker> takeAllIdle() {
    List<Worker> all = new ArrayList<>(idle);
    idle.clear();
    return all;
  }

  /** The worker's next task, begun; null if none waits. */
  @Nullable Task begin(Worker worker, long nowNanos) {
    Task task = queue.pollFirst();
    while (task != null && task.isAbandoned()) {
      task = queue.pollFirst();
    }
    if (task != null) {
      waiting--;
      ready--;
      worker.task = task;
      worker.sinceNanos = nowNanos;
      mostActive = Math.max(mostActive, active());
    }
    return task;
  }

  /** Ends the account of the worker's task, if it has one. */
  void finish(Worker worker) {
    Task task = worker.task;
    if (task == null) {
      return;
    }
    worker.task = null;
    ready++;
    if (task.isAbandoned()) {
      // between our look and its beginning: it is counted where it was reported
      waiting++;
    } else {
      completed++;
    }
  }

  void abandoned() {
    waiting--;
    if (queue.size() - waiting > waiting + DEAD_MARGIN) {
      queue.removeIf(Task::isAbandoned);
    }
  }

  /** The tasks that wait. */
  List<Task> live() {
    List<Task> live = new ArrayList<>(queue);
    live.removeIf(Task::isAbandoned);
    return live;
  }

  /** Empties the queue. Takes no memory. */
  void clear() {
    queue.clear();
  }

  List<BusyThread> busy() {
    List<BusyThread> busy = new ArrayList<>();
    for (Worker worker : workers) {
      if (worker.task != null && worker.thread != null) {
        busy.add(new BusyThread(worker.thread, worker.task, worker.sinceNanos));
      }
    }
    return busy;
  }

  int threads() {
    return workers.size();
  }

  int active() {
    return workers.size() - ready;
  }

  /** Places taken in the queue, those of dead tasks included. */
  int entries() {
    return queue.size();
  }

  int takeMostActive() {
    int most = mostActive;
    mostActive = active();
    return most;
  }

  PoolState state() {
    // after draining, tasks that were in the queue are reported abandoned one by one: nothing waits
    // then
    return new PoolState(
        limits,
        threads(),
        active(),
        Math.max(0, Math.min(waiting, queue.size())),
        largest,
        completed);
  }
}
