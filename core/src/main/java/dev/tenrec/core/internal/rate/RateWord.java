// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One limit in one word: the generic cell rate algorithm in its form of virtual scheduling, as in
 * ITU-T Recommendation I.371 (2004), annex A, and the ATM Forum's Traffic Management Specification
 * 4.0 (1996), section 4.4.2. The word is the theoretical arrival time, the moment at which all
 * permits are there again. A call is let in if that is no farther ahead than the tolerance, and
 * moves it on by one interval.
 *
 * <p>Times are compared by their difference, so it goes on when the clock wraps around. The clock's
 * readings of two threads may come here in another order than they were taken: an older reading
 * finds the word farther ahead, so it lets in nothing that a present one would not.
 *
 * <p>A word is of one rate for life. It ends by being frozen, and another word of another rate
 * begins where it stood; or by being retired, when all permits are there and no call needs it. Both
 * put it ahead by decades, where no word in use is, so that no permit is taken of a word that has
 * ended.
 *
 * <p>Thread-safe; nothing waits.
 */
final class RateWord {

  /** A permit was taken. */
  static final long TAKEN = 0;

  /** The word was frozen or retired; no permit was taken. */
  static final long ENDED = -1;

  private static final long FROZEN_AHEAD_NANOS = 1L << 61;

  private static final long RETIRED_AHEAD_NANOS = 1L << 62;

  /** Every word in use is less ahead: a burst comes back within a year. */
  private static final long IN_USE_NANOS = 1L << 60;

  private static final VarHandle ARRIVAL;

  static {
    try {
      ARRIVAL = MethodHandles.lookup().findVarHandle(RateWord.class, "arrivalNanos", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    // linked now: the JVM takes memory for the first call of each kind on a handle
    boolean unused = ARRIVAL.compareAndSet(new RateWord(new Rate(1, 1, 1), 0), 0L, 0L);
  }

  final Rate rate;

  /** Written by compare-and-set by the thread that takes, freezes or retires; read by any. */
  private volatile long arrivalNanos;

  /** All permits are there at {@code arrivalNanos}. */
  RateWord(Rate rate, long arrivalNanos) {
    this.rate = rate;
    this.arrivalNanos = arrivalNanos;
  }

  /**
   * Takes a permit, if there is one.
   *
   * @return {@link #TAKEN}; {@link #ENDED}; or the nanoseconds from {@code nowNanos} to the next
   *     permit
   */
  long take(long nowNanos) {
    while (true) {
      long seen = arrivalNanos;
      long ahead = seen - nowNanos;
      if (ahead > rate.toleranceNanos) {
        return ahead > IN_USE_NANOS ? ENDED : ahead - rate.toleranceNanos;
      }
      if (ARRIVAL.compareAndSet(this, seen, (ahead > 0 ? seen : nowNanos) + rate.intervalNanos)) {
        return TAKEN;
      }
    }
  }

  /** Freezes the word, unless it has ended: from then on no call takes a permit here. */
  void freeze(long nowNanos) {
    while (true) {
      long seen = arrivalNanos;
      long ahead = seen - nowNanos;
      if (ahead > IN_USE_NANOS
          || ARRIVAL.compareAndSet(
              this, seen, (ahead > 0 ? seen : nowNanos) + FROZEN_AHEAD_NANOS)) {
        return;
      }
    }
  }

  /** The word that goes on where this one, which was frozen, stood: as many permits are spent. */
  RateWord successor(Rate next, long nowNanos) {
    long ahead = arrivalNanos - FROZEN_AHEAD_NANOS - nowNanos;
    return new RateWord(next, nowNanos + next.aheadAfter(rate, Math.max(0, ahead)));
  }

  /**
   * Retires the word if all its permits are there: from then on no call takes one here.
   *
   * @return whether it is retired by this call
   */
  boolean retire(long nowNanos) {
    long seen = arrivalNanos;
    return seen - nowNanos <= 0
        && ARRIVAL.compareAndSet(this, seen, nowNanos + RETIRED_AHEAD_NANOS);
  }

  /** Whether it was retired. */
  boolean isRetired(long nowNanos) {
    return arrivalNanos - nowNanos > FROZEN_AHEAD_NANOS + IN_USE_NANOS;
  }

  /** How many permits could be taken at once. */
  int left(long nowNanos) {
    return rate.left(arrivalNanos - nowNanos);
  }
}
