// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

/** A rate of permits, and how many of them may be saved up. Immutable. */
public final class Rate {

  private final int permits;
  private final int burst;

  /** From one permit to the next. */
  final long intervalNanos;

  /** How far the word may be ahead of a call that is still let in. */
  final long toleranceNanos;

  /** How far the word is ahead when no permit is left. */
  private final long spentNanos;

  /**
   * Makes a rate.
   *
   * @param permits how many come in each period, for display
   * @param intervalNanos from one permit to the next, 1 or more
   * @param burst how many may be saved up, 1 or more; {@code burst * intervalNanos} is at most 365
   *     days
   */
  public Rate(int permits, long intervalNanos, int burst) {
    this.permits = permits;
    this.burst = burst;
    this.intervalNanos = intervalNanos;
    this.spentNanos = burst * intervalNanos;
    this.toleranceNanos = spentNanos - intervalNanos;
  }

  /** How many come in each period. */
  public int permits() {
    return permits;
  }

  /** How many may be saved up. */
  public int burst() {
    return burst;
  }

  /** How many permits are left where the word is so far ahead. */
  int left(long aheadNanos) {
    return (int) Math.max(0, (spentNanos - Math.max(0, aheadNanos)) / intervalNanos);
  }

  /**
   * How far a word has to be ahead by this rate, so that as many permits are spent as by the rate
   * before; but not more than there are.
   *
   * @param aheadNanos how far it was ahead by the rate before, 0 or more
   */
  long aheadAfter(Rate before, long aheadNanos) {
    long spent = aheadNanos / before.intervalNanos;
    if (spent >= burst) {
      return spentNanos;
    }
    double part = (double) (aheadNanos % before.intervalNanos) / before.intervalNanos;
    return Math.min(spentNanos, spent * intervalNanos + (long) Math.ceil(part * intervalNanos));
  }

  /** Whether calls are let in by both alike, and both say the same. */
  boolean isAs(Rate other) {
    return permits == other.permits && intervalNanos == other.intervalNanos && burst == other.burst;
  }
}
