// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The greatest of the values seen in a rolling window, bucket by bucket. A value is dropped as soon
 * as a later one is as great, because it can never be the answer again; so there are seldom more
 * than two.
 *
 * <p>Not thread-safe: its owner's lock orders everything.
 */
public final class RollingMaximum {

  /**
   * First the greatest, which is also the oldest; from there on they get smaller and later. Null
   * until there is one.
   */
  private @Nullable ArrayDeque<Peak> peaks;

  private record Peak(long bucketEndNanos, int value) {}

  /**
   * Sees {@code value}, not negative, in the bucket that ends at {@code bucketEndNanos}; buckets
   * come in order.
   */
  public void see(long bucketEndNanos, int value) {
    if (value == 0) {
      return;
    }
    if (peaks == null) {
      peaks = new ArrayDeque<>(2);
    }
    while (!peaks.isEmpty() && peaks.getLast().value <= value) {
      peaks.removeLast();
    }
    // else the bucket was seen before; or, after a change to shorter buckets, it ends before one
    // that was seen earlier, which answers for both
    if (peaks.isEmpty() || peaks.getLast().bucketEndNanos - bucketEndNanos < 0) {
      peaks.addLast(new Peak(bucketEndNanos, value));
    }
  }

  /** Forgets what was seen. */
  public void restart() {
    peaks = null;
  }

  /**
   * The greatest value of the buckets that end after {@code windowStartNanos}; 0 if there is none.
   * Forgets the older ones.
   */
  public int since(long windowStartNanos) {
    if (peaks == null) {
      return 0;
    }
    while (!peaks.isEmpty() && peaks.getFirst().bucketEndNanos - windowStartNanos <= 0) {
      peaks.removeFirst();
    }
    return peaks.isEmpty() ? 0 : peaks.getFirst().value;
  }
}
