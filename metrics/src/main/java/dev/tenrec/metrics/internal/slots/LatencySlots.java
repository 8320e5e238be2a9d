// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.slots;

/**
 * Which latencies share a slot. Log-linear, as in HdrHistogram: up to 4.096 µs the slots are 64 ns
 * wide, and from there on each octave has 32 slots of one width. A slot is reported by its
 * midpoint, which is wrong by at most {@value #MAX_RELATIVE_ERROR} of the latency from 2.048 µs on,
 * and by at most 32 ns below that.
 *
 * <p>Latencies of {@link #LIMIT_NANOS} (68.7 s) and more are all counted in the last slot, and so
 * reported as about 68.2 s; negative ones are counted as 0.
 */
public final class LatencySlots {

  private static final int UNIT_BITS = 6;
  private static final int OCTAVE_BITS = 5;

  /** How many slots there are. */
  public static final int COUNT = 832;

  /** The first latency, in nanoseconds, that has no slot of its own: 2^36 ns. */
  public static final long LIMIT_NANOS = 1L << 36;

  /** Half of a slot's width in proportion to the octave's first latency: 1/64. */
  public static final double MAX_RELATIVE_ERROR = 0.015625;

  private LatencySlots() {}

  /** The slot of a latency: 0 to {@link #COUNT} - 1, growing with the latency. */
  public static int indexOf(long latencyNanos) {
    long units = Math.min(Math.max(latencyNanos, 0), LIMIT_NANOS - 1) >>> UNIT_BITS;
    // how many low bits of the units a slot leaves aside: none up to 63 units, one more with each
    // octave; min and max are no branches
    int shift = 58 - Long.numberOfLeadingZeros(units | 1 << OCTAVE_BITS);
    return (shift << OCTAVE_BITS) + (int) (units >>> shift);
  }

  /** The smallest latency of a slot, in nanoseconds. */
  public static long lowest(int slot) {
    int shift = shiftOf(slot);
    return (long) (slot - (shift << OCTAVE_BITS)) << shift + UNIT_BITS;
  }

  /** The latency in the middle of a slot, in nanoseconds: what is reported for all of it. */
  public static long midpoint(int slot) {
    return lowest(slot) + (1L << shiftOf(slot) + UNIT_BITS - 1);
  }

  private static int shiftOf(int slot) {
    return Math.max(0, (slot >>> OCTAVE_BITS) - 1);
  }
}
