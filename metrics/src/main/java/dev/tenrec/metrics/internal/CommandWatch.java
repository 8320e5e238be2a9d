// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.health.HealthSnapshot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What has to be looked at although no call ends: errors and slow calls that ended when no look at
 * the health was due, and a window with trouble in it that moves on. One look at a time that the
 * timer is armed for, and the next call's admission, see to it.
 *
 * <p>A call counts its trouble first and {@link #claimLook marks} it second; a look takes the mark
 * off first and sums second. So trouble that a look has missed is marked after that look, or was
 * marked for a look that is still to come.
 */
public abstract sealed class CommandWatch extends CommandCounters permits CommandMetrics {

  /** There is trouble that was counted after the last look took this off. */
  private static final int UNSEEN = 1;

  /** The timer is armed for a look. Comes with {@link #UNSEEN}, and may outlast it. */
  private static final int ARMED = 2;

  /**
   * There was trouble in the window when a call that ended looked at it, or the timer, and no
   * admission has looked since.
   */
  private static final int IN_WINDOW = 4;

  private static final VarHandle MARKS;

  static {
    try {
      MARKS = MethodHandles.lookup().findVarHandle(CommandWatch.class, "marks", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * {@link #UNSEEN}, {@link #ARMED} and {@link #IN_WINDOW}. Written by threads that end calls, by
   * the timer's thread and, under the lock, by threads that look. Read by any thread. Ordered by
   * read-modify-write, as the class comment says.
   */
  private volatile int marks;

  CommandWatch() {}

  /**
   * Whether a call that the breaker would let through now has to look at the health first: there
   * was trouble, and the last look by a call that ended is too long ago. One read and a comparison
   * while there was none.
   */
  public boolean isDueBeforeCall(long nowNanos) {
    int seen = (int) MARKS.getOpaque(this);
    return seen != 0 && isDueBeforeCall(seen, nowNanos);
  }

  private boolean isDueBeforeCall(int seen, long nowNanos) {
    return (seen & UNSEEN) != 0
        ? isDueAfterError(nowNanos)
        : (seen & IN_WINDOW) != 0 && isDue(nowNanos);
  }

  /** Whether it is time for a call that ends to look. */
  public abstract boolean isDue(long nowNanos);

  /** Whether it is time for a call that ends with an error to look. */
  public abstract boolean isDueAfterError(long nowNanos);

  /**
   * Whether trouble that was counted before this question will be seen by a look that is still to
   * come. If not, it is to be {@link #claimLook marked}.
   */
  public boolean isLookComing() {
    return (marks & UNSEEN) != 0;
  }

  /**
   * Marks trouble that was counted, and that perhaps no look has seen.
   *
   * @return whether the caller has to arm the timer; false if it is armed
   */
  public boolean claimLook() {
    return ((int) MARKS.getAndBitwiseOr(this, UNSEEN | ARMED) & ARMED) == 0;
  }

  /**
   * The armed look has come, or cannot: the next trouble that is marked after a look arms another.
   *
   * @return whether there is trouble that no look has seen. It stays marked: for the caller's look,
   *     or, if the caller cannot look, for the next call's admission
   */
  public boolean disarm() {
    return ((int) MARKS.getAndBitwiseAnd(this, ~ARMED) & UNSEEN) != 0;
  }

  /** A look starts. Under the lock, before the sum. */
  final void looks() {
    int unused = (int) MARKS.getAndBitwiseAnd(this, ~(UNSEEN | IN_WINDOW));
    VarHandle.fullFence(); // the sum reads opaque, and must not be older than what is taken off
  }

  /** There was no memory for it: what the look took off is marked again. Under the lock. */
  final void looksInVain() {
    int unused = (int) MARKS.getAndBitwiseOr(this, UNSEEN);
  }

  /** A look that was not an admission's has found this. Under the lock. */
  final void found(HealthSnapshot health) {
    if (health.errors() + health.slow() != 0) {
      watchWindow();
    }
  }

  /** The next admission looks when a look is due. Under the lock. */
  final void watchWindow() {
    int unused = (int) MARKS.getAndBitwiseOr(this, IN_WINDOW);
  }
}
