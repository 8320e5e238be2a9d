// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.metrics.time.Ticker;

/**
 * How long the source of a stream may keep its subscriber waiting. Counts only while the subscriber
 * has asked for items and is not at one: a slow subscriber is not the dependency's failure. The
 * deadline of the call that the stream was made in is a moment, which waits for no subscriber: by
 * then the first item has to be there, asked for or not.
 *
 * <p>Items come often and deadlines pass seldom, so no timer's node is moved with each item. The
 * one that is armed looks, when its time comes, how long the present wait has lasted, and is
 * followed by another if that is not long enough.
 *
 * <p>Not thread-safe: guarded by its bridge.
 */
final class ItemTimeout {

  /** No wait, no watch. */
  static final long NONE = Plan.NEVER;

  private final Ticker ticker;
  private final long firstNanos;
  private final long betweenNanos;

  /** The deadline of the call it was made in, or {@link Deadlines#NONE}. */
  private final long outerNanos;

  /** When the present wait began, or the last one. */
  private long sinceNanos;

  private boolean on;

  /** Whether the wait for the first item has begun. */
  private boolean asked;

  private boolean started;
  private boolean ended;
  private long watchedUntil;

  /**
   * The subscriber has asked for nothing yet.
   *
   * @param firstNanos until the first item, {@link #NONE} for ever
   * @param betweenNanos from one item to the next, {@link #NONE} for ever
   * @param watchedUntil the deadline of the node that is armed from the beginning, or {@link #NONE}
   */
  ItemTimeout(Ticker ticker, long firstNanos, long betweenNanos, long watchedUntil) {
    this(ticker, firstNanos, betweenNanos, Deadlines.NONE, watchedUntil);
  }

  /**
   * The subscriber has asked for nothing yet.
   *
   * @param firstNanos until the first item, {@link #NONE} for ever
   * @param betweenNanos from one item to the next, {@link #NONE} for ever
   * @param outerNanos the deadline of the call it was made in, or {@link Deadlines#NONE}
   * @param watchedUntil the deadline of the node that is armed from the beginning, or {@link #NONE}
   */
  ItemTimeout(
      Ticker ticker, long firstNanos, long betweenNanos, long outerNanos, long watchedUntil) {
    this.outerNanos = outerNanos;
    this.ticker = ticker;
    this.firstNanos = firstNanos;
    this.betweenNanos = betweenNanos;
    this.watchedUntil = watchedUntil;
  }

  /** The wait begins now; what {@link #watch} returns. */
  long begin() {
    return limitNanos() == NONE ? NONE : beginAt(ticker.nanoTime());
  }

  /** The wait begins at a time that was read before; what {@link #watch} returns. */
  long beginAt(long nowNanos) {
    if (limitNanos() == NONE || on) {
      return NONE;
    }
    on = true;
    asked = true;
    sinceNanos = nowNanos;
    return watch();
  }

  /** The source has brought an item. */
  void item() {
    on = false;
    started = true;
  }

  /** The wait is over. */
  void end() {
    on = false;
    ended = true;
  }

  boolean isLate() {
    boolean within = isWithin();
    if (!on && !within) {
      return false;
    }
    long now = ticker.nanoTime();
    return on && now - sinceNanos >= limitNanos() || within && now - outerNanos >= 0;
  }

  /** Whether the deadline of the call it was made in counts, as until the first item. */
  private boolean isWithin() {
    return outerNanos != Deadlines.NONE && !started && !ended;
  }

  /**
   * Whether it is the deadline of the call it was made in that it is late by, if it is late: that
   * came before its own limit.
   */
  boolean isLateByOuter() {
    return outerNanos != Deadlines.NONE
        && !started
        && (!asked || sinceNanos + firstNanos - outerNanos > 0);
  }

  /** The deadline of the call it was made in, or {@link Deadlines#NONE}. */
  long outerNanos() {
    return outerNanos;
  }

  /** The watch for this deadline has come; false if another one counts. */
  boolean unwatch(long deadlineNanos) {
    if (watchedUntil != deadlineNanos) {
      return false;
    }
    watchedUntil = NONE;
    return on || isWithin();
  }

  /** The deadline for which a node has to be armed now; {@link #NONE} if one will look in time. */
  long watch() {
    long deadline = dueNanos();
    if (watchedUntil != NONE && deadline - watchedUntil >= 0) {
      return NONE;
    }
    watchedUntil = deadline;
    return deadline;
  }

  private long dueNanos() {
    long own = on ? sinceNanos + limitNanos() : Deadlines.NONE;
    return isWithin() ? Deadlines.earlier(own, outerNanos) : own;
  }

  /** After {@link #unwatch}: what {@link #watch} returns, if there is anything to watch. */
  long watchAgain() {
    return on || isWithin() ? watch() : NONE;
  }

  /** Whether the first item has come, and the limit is that between items. */
  boolean hasStarted() {
    return started;
  }

  long limitNanos() {
    return started ? betweenNanos : firstNanos;
  }

  /**
   * How long the source has left; all it may have while no item is waited for, but never more than
   * until the deadline of the call it was made in.
   *
   * @param over no item will be waited for any more
   */
  long leftNanos(boolean over) {
    long own = leftOfOwnNanos(over);
    if (outerNanos == Deadlines.NONE || started) {
      return own;
    }
    return over ? 0 : Math.min(own, Math.max(0, outerNanos - ticker.nanoTime()));
  }

  private long leftOfOwnNanos(boolean over) {
    long limit = limitNanos();
    if (limit == NONE || !on && !over) {
      return limit;
    }
    return over ? 0 : Math.max(0, limit - waitedNanos());
  }

  /** How long the present wait has lasted, or the last one would have. */
  long waitedNanos() {
    return ticker.nanoTime() - sinceNanos;
  }
}
