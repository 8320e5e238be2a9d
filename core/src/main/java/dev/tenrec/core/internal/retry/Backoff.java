// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.retry;

import dev.tenrec.core.retry.Jitter;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * How long to wait before a retry: a delay that doubles, with jitter. After M. Brooker,
 * "Exponential Backoff And Jitter", AWS Architecture Blog, 2015. Immutable.
 */
public final class Backoff {

  private final long firstNanos;
  private final long longestNanos;
  private final Jitter jitter;
  private final LongUnaryOperator random;

  /** With lots that the threads draw for themselves. */
  public Backoff(long firstNanos, long longestNanos, Jitter jitter) {
    this(firstNanos, longestNanos, jitter, bound -> ThreadLocalRandom.current().nextLong(bound));
  }

  /**
   * @param random draws evenly from 0 up to, and without, a bound
   */
  Backoff(long firstNanos, long longestNanos, Jitter jitter, LongUnaryOperator random) {
    this.firstNanos = firstNanos;
    this.longestNanos = longestNanos;
    this.jitter = jitter;
    this.random = random;
  }

  /**
   * The delay before a retry.
   *
   * @param retry 1 for the first one
   * @param previousNanos the delay before the last one; any value for the first
   */
  public long delayNanos(int retry, long previousNanos) {
    // no switch: its class would be initialized with the first failure, perhaps without memory
    if (jitter == Jitter.NONE) {
      return doubled(retry);
    }
    if (jitter == Jitter.FULL) {
      return random.applyAsLong(doubled(retry) + 1);
    }
    return decorrelated(retry == 1 ? firstNanos : previousNanos);
  }

  private long doubled(int retry) {
    int doublings = retry - 1;
    // what would overflow is beyond the longest as well
    return doublings >= Long.numberOfLeadingZeros(firstNanos) - 1
        ? longestOrNone()
        : Math.min(firstNanos << doublings, longestNanos);
  }

  private long longestOrNone() {
    return firstNanos == 0 ? 0 : longestNanos;
  }

  private long decorrelated(long previousNanos) {
    // what a failure has said may have been longer than any delay of ours
    long previous = Math.min(previousNanos, longestNanos);
    long span = Math.max(0, 3 * previous - firstNanos); // three years are far from over
    return Math.min(longestNanos, firstNanos + random.applyAsLong(span + 1));
  }
}
