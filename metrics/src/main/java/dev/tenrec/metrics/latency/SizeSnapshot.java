// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.latency;

import dev.tenrec.metrics.internal.slots.LatencySlots;

/**
 * A distribution of sizes at a moment; immutable. Sizes up to 63 are exact, greater ones wrong by
 * at most 1.6 %; the mean is made of these.
 */
public final class SizeSnapshot {

  /** No size at all. */
  public static final SizeSnapshot EMPTY = new SizeSnapshot(LatencySnapshot.EMPTY);

  /** A size stands for as many slots' units of a latency as it says: see {@link #scaled}. */
  private static final int UNIT_NANOS = (int) (LatencySlots.midpoint(1) - LatencySlots.midpoint(0));

  private final LatencySnapshot scaled;

  public SizeSnapshot(LatencySnapshot scaled) {
    this.scaled = scaled;
  }

  /** The latency whose slot stands for {@code size}: so sizes use the slots of latencies. */
  public static long scaled(int size) {
    return (long) size * UNIT_NANOS;
  }

  /** How many sizes there are. */
  public long count() {
    return scaled.count();
  }

  /** Their mean; 0 if there is none. */
  public double mean() {
    // a slot of w sizes is reported half a unit beyond their mean
    return count() == 0 ? 0 : scaled.meanNanos() / UNIT_NANOS - 0.5;
  }

  /** The smallest; 0 if there is none. */
  public long min() {
    return scaled.minNanos() / UNIT_NANOS;
  }

  /** The greatest; 0 if there is none. */
  public long max() {
    return scaled.maxNanos() / UNIT_NANOS;
  }

  /**
   * The smallest size that at least {@code percentile} per cent of all do not exceed; 0 if there is
   * none.
   *
   * @param percentile from 0 (the smallest) to 100 (the greatest)
   * @throws IllegalArgumentException if it is outside of that, or no number
   */
  public long valueAtPercentile(double percentile) {
    return scaled.valueAtPercentile(percentile) / UNIT_NANOS;
  }
}
