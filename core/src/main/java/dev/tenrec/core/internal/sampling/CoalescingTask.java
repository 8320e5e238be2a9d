// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sampling;

import dev.tenrec.core.internal.callback.CallbackShare;
import dev.tenrec.core.internal.callback.CallbackTask;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something the callback threads do whenever it is asked for, never twice at once. However often
 * that is, the executor has it at most once: asked for while it waits there, nothing happens; asked
 * for while it runs, it is brought once more afterwards.
 *
 * <p>When the executor has no room it is not done, and has to be asked for again; unless that was
 * {@link #demand}, for then it waits for a thread. To be asked takes no memory. Thread-safe.
 */
public final class CoalescingTask implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(CoalescingTask.class);

  private enum State {
    IDLE,
    BROUGHT,
    RUNNING,
    /** Runs, and was asked for again. */
    AGAIN
  }

  private final Runnable body;
  private final CallbackShare callbacks;

  /**
   * What the executor has, at most once at a time. Made now: once the state says that it is
   * brought, nothing is left to fail for want of memory, or nothing would ever be brought again.
   */
  private final CallbackTask task = CallbackTask.of(this);

  /**
   * Written by the threads that ask and run. An asking thread writes what the body is to see, then
   * reads this. The running thread writes {@code RUNNING}, then reads what was written. So at least
   * one of the two threads sees what the other did.
   */
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

  /**
   * Written by the demanding thread before it reads the state. Read by the refused thread after it
   * has written the state.
   */
  private volatile boolean demanded;

  /**
   * Not asked for yet.
   *
   * @param body what to do; what it throws is logged
   * @param callbacks where
   */
  CoalescingTask(Runnable body, CallbackShare callbacks) {
    this.body = body;
    this.callbacks = callbacks;
  }

  /** To be done soon, if there is room. */
  void ask() {
    while (true) {
      State now = state.get();
      if (now == State.BROUGHT || now == State.AGAIN) {
        return;
      }
      State next = now == State.IDLE ? State.BROUGHT : State.AGAIN;
      if (state.compareAndSet(now, next)) {
        if (next == State.BROUGHT) {
          bring();
        }
        return;
      }
    }
  }

  /** To be done soon, whether or not there is room; and so from now on. */
  void demand() {
    demanded = true;
    ask();
  }

  /**
   * Called by the executor, or by the thread that finds that the executor will not do it any more.
   */
  @Override
  public void run() {
    state.set(State.RUNNING);
    try {
      body.run();
    } catch (Throwable e) {
      LOG.warn("a reading of metrics, or what is notified of it, failed", e);
    } finally {
      if (!state.compareAndSet(State.RUNNING, State.IDLE)) {
        state.set(State.BROUGHT);
        bring();
      }
    }
  }

  private void bring() {
    if (callbacks.offer(task)) {
      return;
    }
    state.set(State.IDLE);
    if (demanded && state.compareAndSet(State.IDLE, State.BROUGHT)) {
      callbacks.execute(task);
    }
  }
}
