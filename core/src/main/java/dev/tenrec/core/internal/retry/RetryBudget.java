// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.retry;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How many retries there may be: of the last ten seconds, a share of the executions and so many a
 * second besides. The shape is that of Finagle's RetryBudget (twitter/finagle, {@code
 * com.twitter.finagle.service.RetryBudget}: percentCanRetry, minRetriesPerSec, ttl). Unlike there,
 * an execution deposits nothing: how many there were is read, from counters that are kept anyway,
 * when a retry asks. So a success writes nothing here.
 *
 * <p>While the failures of a command prevail, its executions count nothing, and the fixed number is
 * all there is: a share of them would be more load on what has too much, and prolong a collapse.
 * The idea is that of gRPC's retry throttling (gRFC A6), which stops retries when half of its
 * tokens are used up. {@code CommandRuntime.retryBase} sees to it.
 *
 * <p>Thread-safe, by a lock that is held for some additions: only failed calls come here.
 */
public final class RetryBudget {

  /** What it looks back on. */
  public static final long WINDOW_NANOS = 10_000_000_000L;

  private static final long SLOT_NANOS = 1_000_000_000L;

  /** One more than the window has, for the first and the last are not whole. */
  private static final int SLOTS = (int) (WINDOW_NANOS / SLOT_NANOS) + 1;

  /** How long a reading of the executions will do: a failing dependency has many askers. */
  private static final long READING_NANOS = 50_000_000L;

  private final long originNanos;

  // All by the thread that holds this object's monitor.
  private final int[] spent = new int[SLOTS];
  private long lastSlot;
  private long executions;
  private long readAtNanos;
  private boolean read;

  /** Nothing is spent. */
  public RetryBudget(long nowNanos) {
    this.originNanos = nowNanos;
  }

  /**
   * Draws one retry.
   *
   * @param percent of the executions that may be retried
   * @param perSecond how many there may be in each second besides
   * @param executionsInWindow counts what was executed in the last ten seconds, retries left out
   * @return what was drawn; null if there is none left
   */
  public synchronized @Nullable RetryToken draw(
      int percent, int perSecond, LongSupplier executionsInWindow, long nowNanos) {
    if (left(percent, perSecond, executionsInWindow, nowNanos) == 0) {
      return null;
    }
    RetryToken drawn = new RetryToken(this, lastSlot); // which may find no memory, so first
    spent[(int) (lastSlot % SLOTS)]++;
    return drawn;
  }

  /**
   * How many could be drawn.
   *
   * @param executionsInWindow as for {@link #draw}
   */
  public synchronized int left(
      int percent, int perSecond, LongSupplier executionsInWindow, long nowNanos) {
    moveOn(nowNanos);
    if (!read || nowNanos - readAtNanos >= READING_NANOS || nowNanos - readAtNanos < 0) {
      executions = executionsInWindow.getAsLong();
      readAtNanos = nowNanos;
      read = true;
    }
    long allowed = executions * percent / 100 + perSecond * (WINDOW_NANOS / SLOT_NANOS);
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, allowed - spent()));
  }

  /** How many were drawn in the last ten seconds, and not given back. */
  public synchronized int spent(long nowNanos) {
    moveOn(nowNanos);
    return (int) Math.min(Integer.MAX_VALUE, spent());
  }

  /** By the token that was drawn in this slot, once; nothing if that is out of the window. */
  synchronized void giveBack(long slot) {
    if (lastSlot - slot < SLOTS) {
      spent[(int) (slot % SLOTS)]--;
    }
  }

  private long spent() {
    long sum = 0;
    for (int slot : spent) {
      sum += slot;
    }
    return sum;
  }

  /** Forgets what is out of the window. A clock that is a thread's late reading moves nothing. */
  private void moveOn(long nowNanos) {
    long slot = Math.max(0, nowNanos - originNanos) / SLOT_NANOS;
    long over = Math.min(slot - lastSlot, SLOTS);
    for (long i = 1; i <= over; i++) {
      spent[(int) ((lastSlot + i) % SLOTS)] = 0;
    }
    lastSlot = Math.max(slot, lastSlot);
  }
}
