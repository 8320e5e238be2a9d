package dev.tenrec.core.isolation;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that run tasks. How many tasks are in the pool is bounded by {@link #permits()}, which the caller takes before it submits and
 * the task gives back when its work has stopped; so a submitted task always has a place, and the pool itself refuses nobody.
 *
 * <p>A task is taken by an idle thread; else it starts a thread while there are fewer than {@link PoolLimits#core()}; else it waits; and
 * when more than {@link PoolLimits#queue()} wait, a thread is started while there are fewer than {@link PoolLimits#maximum()}.
 *
 * <p>Thread-safe. No method but {@link #awaitQuiet} waits for anything but the pool's one lock, under which nothing slow or foreign runs
 * (only {@link Task#isAbandoned}). It makes the rule above hold at each moment: whenever the lock is free, either no more tasks wait
 * than there are threads ready for them, or the limits allow no thread more. A queue with locks of its own would be no faster, because the
 * way through a pool costs the wake-up of a thread and little else.
 */
public final class WorkerPool {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);

  // dead entries may outnumber the live ones by this before they are swept out: each sweep is paid for by as many abandonments
  private static final int DEAD_MARGIN = 64;

  private final String key;
  private final Permits permits;
  private final ThreadFactory factory;
  private final Ticker ticker;
  private final Waiter waiter;

  private final ReentrantLock lock = new ReentrantLock();

  // all below is written and read under the lock
  private PoolLimits limits;
  private final ArrayDeque<Task> queue = new ArrayDeque<>();
  // tasks that wait: raised by submit, lowered for each task either where it begins or where it is reported abandoned.
  // Those in the queue above this number are dead
  private int waiting;
  private final Set<Worker> workers = new HashSet<>();
  // parked workers, the last one first: those at the bottom stay idle long enough to end
  private final ArrayDeque<Worker> idle = new ArrayDeque<>();
  // workers without a task: parked, woken, or just started. Each looks at the queue before it parks (again)
  private int ready;
  private int largest;
  private int mostActive;
  private long completed;
  private boolean shutdown;
  private final Set<Thread> awaitingQuiet = new HashSet<>();

  /**
   * A pool without threads: they come with the tasks.
   *
   * @param key the pool's name, for messages
   * @param factory makes its threads; the pool starts each of them, once
   */
  public WorkerPool(String key, PoolLimits limits, ThreadFactory factory, Ticker ticker, Waiter waiter) {
    this.key = key;
    this.limits = limits;
    this.permits = new Permits(limits.permits());
    this.factory = factory;
    this.ticker = ticker;
    this.waiter = waiter;
  }

  /** One for each task that may be in the pool, running or waiting. */
  public Permits permits() {
    return permits;
  }

  /**
   * Hands over a task, whose permit the caller has taken.
   *
   * @return false, with nothing done, when the pool is {@linkplain #shutdown() shut down}; else the task will be run, abandoned, or
   *     returned by {@code shutdown}
   * @throws RuntimeException from the thread factory, if no other thread can run the task. The task waits all the same, so the caller
   *     has to abandon it as if it had timed out
   * @throws Error the same, when the JVM has no thread to give
   */
  public boolean submit(Task task) {
    Worker woken;
    Worker started = null;
    lock.lock();
    try {
      if (shutdown) {
        return false;
      }
      queue.addLast(task);
      waiting++;
      woken = idle.pollFirst();
      if (woken == null && mayStart()) {
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
   * Says that a task of this pool was abandoned: it never runs, and no longer counts as waiting. Its place in the queue is cleared
   * later, together with others', so this costs a constant however many wait.
   */
  public void abandoned() {
    lock.lock();
    try {
      if (shutdown) {
        return;
      }
      waiting--;
      if (queue.size() - waiting > waiting + DEAD_MARGIN) {
        queue.removeIf(Task::isAbandoned);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Changes the sizes, up or down, without waiting for any task. Surplus idle threads end now, surplus busy ones after their task. Tasks
   * that wait already stay, even if they are more than the new queue takes.
   */
  public void resize(PoolLimits limits) {
    List<Worker> woken;
    lock.lock();
    try {
      this.limits = limits;
      permits.resize(limits.permits());
      woken = takeAllIdle();
    } finally {
      lock.unlock();
    }
    woken.forEach(Worker::wake);
    startWhereAllowed();
  }

  /**
   * Takes no task any more, and lets each thread end that has none. A second call does nothing.
   *
   * @return the tasks that waited: the caller ends them and gives their permits back
   */
  public List<Task> shutdown() {
    List<Worker> woken;
    List<Task> left;
    lock.lock();
    try {
      shutdown = true;
      left = new ArrayList<>(queue);
      queue.clear();
      waiting = 0;
      woken = takeAllIdle();
    } finally {
      lock.unlock();
    }
    woken.forEach(Worker::wake);
    left.removeIf(Task::isAbandoned);
    return left;
  }

  /** Interrupts each thread that runs a task. */
  public void interruptAll() {
    lock.lock();
    try {
      for (Worker worker : workers) {
        if (worker.task != null && worker.thread != null) {
          // under the lock, so that it cannot hit the next task
          worker.thread.interrupt();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the pool has no thread, {@code deadlineNanos} has come, or the caller is interrupted (the flag stays). Of use after
   * {@link #shutdown()}.
   *
   * @param deadlineNanos on the ticker's scale, or {@link Waiter#FOREVER}
   * @return whether the pool has no thread
   */
  public boolean awaitQuiet(long deadlineNanos) {
    Thread current = Thread.currentThread();
    while (true) {
      lock.lock();
      try {
        boolean quiet = workers.isEmpty();
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
      List<BusyThread> busy = new ArrayList<>();
      for (Worker worker : workers) {
        if (worker.task != null && worker.thread != null) {
          busy.add(new BusyThread(worker.thread, worker.task, worker.sinceNanos));
        }
      }
      return busy;
    } finally {
      lock.unlock();
    }
  }

  /** All numbers at one moment. */
  public PoolState state() {
    lock.lock();
    try {
      return new PoolState(limits, workers.size(), active(), Math.max(0, waiting), largest, completed);
    } finally {
      lock.unlock();
    }
  }

  /** The most threads that ran a task at once since this was last asked for; starts again from those that do so now. */
  public int takeMostActive() {
    lock.lock();
    try {
      int most = mostActive;
      mostActive = active();
      return most;
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
      if (worker.task != null) {
        finished(worker, worker.task);
      }
      while (workers.size() <= limits.maximum()) {
        Task task = pollLive();
        if (task != null) {
          begin(worker, task);
          return task;
        }
        boolean surplus = workers.size() > limits.core();
        if (shutdown || (surplus && idleForLong)) {
          break;
        }
        long deadlineNanos = surplus ? ticker.nanoTime() + limits.keepAliveNanos() : Waiter.FOREVER;
        worker.willPark();
        idle.addFirst(worker);
        lock.unlock();
        try {
          idleForLong = worker.park(deadlineNanos);
        } finally {
          lock.lock();
        }
        // it is still there if nobody woke it; if somebody did at the last moment, there may be a task
        idleForLong &= idle.remove(worker);
      }
      // under the same lock as the look at the queue, or a task could count on a worker that is leaving
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
      if (worker.task != null) {
        finished(worker, worker.task);
      }
      idle.remove(worker);
      retire(worker);
    } finally {
      lock.unlock();
    }
    startWhereAllowed();
  }

  /** A task broke its contract. */
  void threw(Task task, Throwable error) {
    LOG.error("pool {}: a task threw, its thread goes on: {}", key, task, error);
  }

  /** Places taken in the queue, those of dead tasks included. */
  int entries() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }

  // From here to retire: called under the lock.

  private int active() {
    return workers.size() - ready;
  }

  private boolean mayStart() {
    int threads = workers.size();
    int unserved = waiting - ready;
    // with a core of 0 there has to be a first thread all the same, or tasks would wait for ever in a queue that is not full
    return threads < Math.max(1, limits.core()) ? unserved > 0 : unserved > limits.queue() && threads < limits.maximum();
  }

  private Worker newWorker() {
    Worker worker = new Worker(this, ticker, waiter);
    workers.add(worker);
    ready++;
    largest = Math.max(largest, workers.size());
    return worker;
  }

  private List<Worker> takeAllIdle() {
    List<Worker> all = new ArrayList<>(idle);
    idle.clear();
    return all;
  }

  private @Nullable Task pollLive() {
    Task task = queue.pollFirst();
    while (task != null && task.isAbandoned()) {
      task = queue.pollFirst();
    }
    return task;
  }

  private void begin(Worker worker, Task task) {
    waiting--;
    ready--;
    worker.task = task;
    worker.sinceNanos = ticker.nanoTime();
    mostActive = Math.max(mostActive, active());
    // here, where no new interrupt can come for this task yet: one left over from the last task must not hit it
    Worker.dropInterrupt();
  }

  private void finished(Worker worker, Task task) {
    worker.task = null;
    ready++;
    if (!task.isAbandoned()) {
      completed++;
    } else if (!shutdown) {
      // abandoned between our look and its beginning: counted where it was reported
      waiting++;
    }
  }

  private void retire(Worker worker) {
    workers.remove(worker);
    ready--;
    if (workers.isEmpty()) {
      awaitingQuiet.forEach(waiter::wake);
    }
  }

  private void startFor(Worker worker) {
    try {
      start(worker);
    } catch (RuntimeException | Error e) {
      if (state().threads() == 0) {
        throw e;
      }
      LOG.warn("pool {}: could not start a thread, tasks wait for those there are", key, e);
    }
  }

  private void startWhereAllowed() {
    while (true) {
      Worker started;
      lock.lock();
      try {
        if (!mayStart()) {
          return;
        }
        started = newWorker();
      } finally {
        lock.unlock();
      }
      try {
        start(started);
      } catch (RuntimeException | Error e) {
        LOG.warn("pool {}: could not start a thread, tasks wait for the next one", key, e);
        return;
      }
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
