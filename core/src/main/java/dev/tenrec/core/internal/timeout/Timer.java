// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * All deadlines of one Tenrec, on one thread.
 *
 * <p>Most calls end long before their deadline, so arming has to be cheap and disarming cheaper.
 * Arming pushes the node onto one of a few stacks; disarming is the call's own change of state. The
 * thread empties the stacks every 10 ms, drops what has ended by then, and keeps the rest in a
 * heap. It is woken only for a deadline that comes before its next round, and sleeps for good while
 * there is nothing to wait for.
 *
 * <p>A time-out expires at its deadline or shortly after, never before. Thread-safe; {@link #arm}
 * takes no lock and allocates nothing.
 */
public final class Timer {

  /**
   * How long an ended node may lie in a stack. Ten milliseconds of a million calls a second are ten
   * thousand nodes.
   */
  private static final long DRAIN_TICK_NANOS = 10_000_000;

  /**
   * The thread is about, and looks at the stacks before it sleeps. No ticker's reading in practice;
   * one that is it is moved by 1 ns.
   */
  private static final long AWAKE = Long.MIN_VALUE;

  private static final ClosedTimeouts NONE_LEFT = new ClosedTimeouts();

  private final Ticker ticker;
  private final Waiter waiter;
  private final ThreadFactory threads;
  private final IncomingStacks incoming =
      new IncomingStacks(Runtime.getRuntime().availableProcessors());
  private final DeadlineHeap heap;

  /**
   * The timer's thread. Written by itself before its first round, so that a thread which finds it
   * asleep can wake it, and by the thread that has started it, under this timer's lock, so that it
   * is started once; read by any thread.
   */
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

  /**
   * Until when the thread sleeps; {@link #AWAKE}, or {@link Waiter#FOREVER}. The timer thread
   * writes it and then looks at the stacks; an arming thread pushes and then reads it. So at least
   * one of the two threads always sees what the other did.
   */
  private final AtomicLong sleepsUntil = new AtomicLong(AWAKE);

  /** Set by the first {@link #close}, read by the timer thread and by arming threads. */
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Drained, not yet in the heap: survives an {@link OutOfMemoryError} there. Used by the timer
   * thread, and after its end by close.
   */
  private @Nullable Timeout drained;

  /**
   * Failed to expire; tried again in the next round. Linked, so that it takes no memory. Used by
   * the timer thread, and after its end by close.
   */
  private @Nullable Timeout failed;

  /** Written once, before the first node is armed; read by the timer thread. */
  private FailureListener failures = (what, thrown) -> {};

  /** Made now: when it is needed there may be no memory. By the first {@link #close} alone. */
  private final ClosedTimeouts left = new ClosedTimeouts();

  /** Whether the last drain of the last round found anything. Used by the timer thread alone. */
  private boolean busy;

  /**
   * Starts no thread yet.
   *
   * @param ticker the scale of all deadlines
   * @param waiter on the ticker's scale
   * @param threads makes the one thread, when the first time-out is armed; should make it a daemon
   */
  public Timer(Ticker ticker, Waiter waiter, ThreadFactory threads) {
    this.ticker = ticker;
    this.waiter = waiter;
    this.threads = threads;
    this.heap = new DeadlineHeap(ticker.nanoTime());
  }

  /** Is notified of what went wrong on the timer's thread, which must not log: it must not wait. */
  @FunctionalInterface
  public interface FailureListener {

    /** On the timer's thread: hands over, and does not wait. What it throws is dropped. */
    void failed(String what, Throwable thrown);
  }

  /** Has failures reported there. To be called once, before the first node is armed. */
  public void reportFailures(FailureListener listener) {
    failures = listener;
  }

  /**
   * Has {@link Timeout#expired} called at the deadline, unless it ends before.
   *
   * @return false if the timer is closed: the time-out is not armed, and its owner has to end it
   */
  public boolean arm(Timeout timeout) {
    startThread();
    return armWithoutThread(timeout);
  }

  /**
   * As {@link #arm}, whether or not there is a thread to be had: if there is none, the time-out is
   * armed all the same, and expires once another one that is armed has found a thread, or is
   * closed. Throws nothing, and takes no memory of its own.
   *
   * @return false if the timer is closed: the time-out is not armed, and its owner has to end it
   */
  public boolean armInAnyCase(Timeout timeout) {
    try {
      startThread();
    } catch (Throwable e) { // no thread, no memory for one
      report("the timer has no thread, and gets one with the next time-out", e);
    }
    return armWithoutThread(timeout);
  }

  /** Has a thread for what is armed; throws if none can be had. Nothing once it is closed. */
  public void startThread() {
    if (thread.get() == null) {
      start();
    }
  }

  /**
   * As {@link #armInAnyCase}, for a caller that has asked for {@linkplain #startThread a thread},
   * and reports by itself that there is none.
   *
   * @return false if the timer is closed: the time-out is not armed, and its owner has to end it
   */
  public boolean armWithoutThread(Timeout timeout) {
    if (!incoming.push(timeout)) {
      return false;
    }
    long until = sleepsUntil.get();
    // the first of several that come before it wakes it, the others see that it is awake
    if (until != AWAKE && comesBefore(timeout, until) && sleepsUntil.compareAndSet(until, AWAKE)) {
      wakeThread();
    }
    return true;
  }

  /** How many are held, ended ones in the heap included; exact only when nothing moves. */
  public int pending() {
    return heap.size() + incoming.live();
  }

  /**
   * Ends the thread, and waits for that: at most for the {@link Timeout#expired} it is in. An
   * interrupt of the caller is kept for later. Called by the timer thread itself, it does not wait.
   * Takes no memory.
   *
   * @return those that have not ended and will not expire any more: their owner has to end them.
   *     None, without waiting, for every close but the first.
   */
  public ClosedTimeouts close() {
    // no lock: a second close by the timer thread would wait for the first, which waits for that
    // thread
    if (!closed.compareAndSet(false, true)) {
      return NONE_LEFT;
    }
    for (int stack = 0; stack < incoming.count(); stack++) {
      left.addAll(incoming.close(stack));
    }
    Thread started;
    synchronized (this) { // a start that is under way ends first
      started = thread.get();
    }
    if (started != null && started != Thread.currentThread()) {
      wakeThread();
      join(started);
    }
    left.addAll(drained);
    drained = null;
    left.addAll(failed);
    failed = null;
    heap.moveTo(left);
    return left;
  }

  /**
   * Before the push: if there is no thread, the caller gets the error and nothing has been armed.
   * Under a lock, or a second node could be pushed while it is open whether there will be a thread.
   */
  private synchronized void start() {
    if (closed.get() || thread.get() != null) {
      return;
    }
    Thread made = threads.newThread(this::run);
    made.start();
    thread.set(made);
  }

  private void run() {
    thread.set(Thread.currentThread());
    while (!closed.get()) {
      try {
        round();
      } catch (Throwable e) {
        outlive(e);
      }
    }
  }

  private void round() {
    // a stray interrupt, which a hand-over may have left, would make every wait return at once
    boolean unused = Thread.interrupted();
    // before the expiry, so that after a long pause the deadlines are met in their order
    boolean moreToCome = drain() || busy;
    takeFailed();
    long now = ticker.nanoTime();
    expireDue(now);
    heap.sweepIfDue(now);
    long until = nextRound(now, moreToCome || failed != null);
    sleepsUntil.set(until);
    busy = drain();
    if (nothingBefore(until) && !closed.get()) {
      waiter.awaitUntil(until);
    }
    sleepsUntil.set(AWAKE);
  }

  private void expireDue(long now) {
    Timeout due;
    while (!closed.get() && (due = heap.takeDue(now)) != null) {
      try {
        due.expired();
      } catch (Throwable e) { // no memory, perhaps: what has to end is tried again until it has
        if (!due.isEnded()) {
          due.next = failed;
          failed = due;
        }
        report("a time-out failed to expire", e);
      }
    }
  }

  private void report(String what, Throwable thrown) {
    try {
      failures.failed(what, thrown);
    } catch (Throwable again) { // no memory to say so
      return;
    }
  }

  private long nextRound(long now, boolean moreToCome) {
    Timeout first = heap.earliest();
    if (first == null && !moreToCome) {
      return Waiter.FOREVER;
    }
    long tick = now + DRAIN_TICK_NANOS;
    long until = first != null && comesBefore(first, tick) ? first.deadlineNanos() : tick;
    return until == AWAKE || until == Waiter.FOREVER ? now : until;
  }

  /** Moves what has come into the heap, but for what has ended; says whether anything had come. */
  private boolean drain() {
    boolean any = drained != null;
    addDrained();
    for (int stack = 0; stack < incoming.count(); stack++) {
      drained = incoming.takeAll(stack);
      any |= drained != null;
      addDrained();
    }
    return any;
  }

  /** Brings back what failed to expire in an earlier round. */
  private void takeFailed() {
    Timeout node;
    while ((node = failed) != null) {
      if (!node.isEnded()) {
        heap.add(node);
      }
      failed = node.next;
      node.next = null;
    }
  }

  private void addDrained() {
    Timeout node;
    while ((node = drained) != null) {
      if (!node.isEnded()) {
        heap.add(node);
      }
      drained = node.next;
      node.next = null; // a long-lived node must not keep the ended ones it came with
    }
  }

  /**
   * Whether nothing that was drained after {@code until} was made known asks for an earlier round.
   */
  private boolean nothingBefore(long until) {
    Timeout first = heap.earliest();
    return until == Waiter.FOREVER ? !busy : first == null || !comesBefore(first, until);
  }

  /**
   * After running out of memory, or an error in a user's clock: the other deadlines must outlive
   * it.
   */
  private void outlive(Throwable error) {
    try {
      report("a round of the timer failed, the next one is in 10 ms", error);
      waiter.awaitUntil(ticker.nanoTime() + DRAIN_TICK_NANOS);
    } catch (Throwable again) {
      // not even that can be reported; the next round is at once
    }
  }

  private void wakeThread() {
    Thread sleeper = thread.get();
    if (sleeper != null) {
      waiter.wake(sleeper);
    }
  }

  private static boolean comesBefore(Timeout timeout, long until) {
    return until == Waiter.FOREVER || timeout.deadlineNanos() - until < 0;
  }

  private static void join(Thread ending) {
    boolean interrupted = false;
    while (true) {
      try {
        ending.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
