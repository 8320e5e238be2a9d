// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import org.jspecify.annotations.Nullable;

/**
 * Something that has to end by a deadline, and the node the {@link Timer} keeps it by. Armed at
 * most once; or again after it has expired, see {@link #postpone}. Disarming is ending: the timer
 * reads {@link #isEnded} and drops the node, so no thread has to remove it.
 *
 * <p>The timer may hold an ended node for some ten milliseconds, so a subclass lets go of large
 * things when it ends.
 */
public abstract class Timeout {

  /** Written before the node is armed; the timer's push publishes it. */
  private long deadlineNanos;

  /**
   * The node below in an incoming stack. Written by the arming thread before its push, and by the
   * timer thread after the drain, and by the closing thread once that has ended; read by these two,
   * which the push orders, and, without order, by {@link Timer#pending}.
   */
  @Nullable Timeout next;

  /**
   * @param deadlineNanos on the scale of the timer's ticker, less than 100 years from now
   */
  protected Timeout(long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
  }

  /** When this expires, on the scale of the timer's ticker. */
  public final long deadlineNanos() {
    return deadlineNanos;
  }

  /**
   * Sets the deadline for the next time it is armed. Only while no timer holds it: before the first
   * time, or from the beginning of an {@link #expired} that throws nothing. So a node that is made
   * early takes no memory when it is needed.
   */
  protected final void postpone(long nextDeadlineNanos) {
    deadlineNanos = nextDeadlineNanos;
  }

  /**
   * Whether it is over, so that the deadline means nothing any more. Once true, always true. Read
   * by the timer thread at any time.
   */
  protected abstract boolean isEnded();

  /**
   * The deadline has come. Called at most once each time it is armed, on the timer thread, perhaps
   * just after the end: it claims the ending, hands everything else over to another thread, and
   * returns. It must not wait, nor run a user's code: all other deadlines wait meanwhile. What it
   * throws is logged.
   */
  protected abstract void expired();

  /**
   * Its Tenrec closes, and the timer has forgotten this: ends what waits for the deadline. Called
   * by the closing thread, again if it throws; runs no user code, and does not wait. Nothing for a
   * node that ends nothing.
   */
  public void closed() {}
}
