// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.timeout.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The ending of those that share a run, as often as it takes: if there is no memory for it on the
 * thread that ends the run, the timer tries again until there is, or closing does. Without a thread
 * for the timer it stays armed there until there is one. It is made before the run begins, so that
 * this needs no memory.
 */
public final class SharedEnding extends Timeout {

  /** What to do. */
  @FunctionalInterface
  public interface Step {

    /**
     * Notifies those that share it. Runs no user code, does not wait, and may throw for want of
     * memory.
     *
     * @return false if some are left, to be notified when this is called again
     */
    boolean endsAll();
  }

  /** How often it is tried in a row, before it waits, where the timer cannot try it again. */
  private static final int TRIES = 10;

  /** When the timer tries again: its own step. */
  private static final long AGAIN_NANOS = 10_000_000;

  private final CommandRuntime runtime;
  private final Step step;

  /** Set by the thread that arms it, taken back where the timer is closed. Guarded by this. */
  private boolean armed;

  /** Written by the thread that finds none left, read by the timer's thread and the closing one. */
  private volatile boolean over;

  /**
   * Written by the closing thread before it looks whether some are left, read by the thread that
   * has left some, ordered by volatile access: at least one of the two sees what the other did.
   * Also written by a thread that finds the timer closed.
   */
  private volatile boolean closing;

  /**
   * The last thread that began to go on by itself, to be woken when none is left. Written before
   * {@link #closing}, read after {@link #over} was written.
   */
  private volatile @Nullable Thread insisting;

  /** Not tried yet. */
  public SharedEnding(CommandRuntime runtime, Step step) {
    super(0);
    this.runtime = runtime;
    this.step = step;
  }

  /** The run has ended: ends those that share it, now or later. Throws nothing. */
  public void end() {
    if (over || isTried()) {
      return;
    }
    if (closing) {
      insist();
      return;
    }
    if (!takeArmed(true)) {
      return;
    }
    postpone(now());
    if (!runtime.engine.timer().armInAnyCase(this)) {
      boolean unused = takeArmed(false);
      insist();
    }
  }

  private long now() {
    return runtime.engine.ticker().nanoTime();
  }

  /** Whether this has changed it. */
  private synchronized boolean takeArmed(boolean now) {
    boolean changes = armed != now;
    armed = now;
    return changes;
  }

  private boolean isTried() {
    try {
      if (step.endsAll()) { // not as one expression, which would write back what it read before
        allEnded();
      }
    } catch (Throwable thrown) { // no memory
      runtime.failedToSettle(thrown);
    }
    return over;
  }

  /** Threads that have found some left while all was closed may wait for this one. */
  private void allEnded() {
    over = true;
    if (closing) {
      runtime.engine.closing().left();
      wake(insisting);
    }
  }

  private void wake(@Nullable Thread waiting) {
    if (waiting != null && waiting != Thread.currentThread()) {
      runtime.engine.waiter().wake(waiting);
    }
  }

  /**
   * All is closed, so no other thread comes: this thread tries until none is left, whichever thread
   * notifies the last. Of several such threads each wakes the one that began before it.
   */
  private void insist() {
    Thread before = begin(Thread.currentThread());
    closing = true;
    boolean interrupted = false;
    for (int i = 0; !isTried(); i++) {
      if (i < TRIES) {
        Thread.yield();
      } else {
        interrupted |= Thread.interrupted(); // or no wait would wait
        runtime.engine.waiter().awaitUntil(now() + AGAIN_NANOS);
      }
    }
    wake(before);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The thread that began before. */
  private synchronized @Nullable Thread begin(Thread current) {
    Thread before = insisting;
    insisting = current;
    return before;
  }

  @Override
  protected boolean isEnded() {
    return over;
  }

  /**
   * Some may be left because another thread is notifying them still, which is no failure: then it
   * looks again. If it throws, the timer calls it again, or has it closed.
   */
  @Override
  protected void expired() {
    if (step.endsAll()) {
      allEnded();
      return;
    }
    postpone(now() + AGAIN_NANOS);
    if (!runtime.engine.timer().arm(this)) {
      throw new IllegalStateException("some that share a run are left: closing ends them");
    }
  }

  /** Throws if some are left, and is called again then. */
  @Override
  public void closed() {
    closing = true; // first: a thread that is at it still goes on by itself from now on
    if (!step.endsAll()) {
      throw new IllegalStateException("some that share a run are notified by another thread");
    }
    allEnded();
  }
}
