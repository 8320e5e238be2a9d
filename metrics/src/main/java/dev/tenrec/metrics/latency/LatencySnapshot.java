// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.latency;

import dev.tenrec.metrics.internal.slots.LatencySlots;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * A distribution of latencies at a moment; immutable. All values are in nanoseconds and are the
 * midpoints of {@link LatencySlots}: wrong by at most 1.6 % from 2 µs to 68.7 s (32 ns below, and
 * longer ones count as about 68.2 s). So is the mean, which is made of midpoints.
 */
public final class LatencySnapshot {

  /** No latency at all. */
  public static final LatencySnapshot EMPTY = new LatencySnapshot(new int[0], 0);

  /**
   * HdrHistogram's precision in {@link #toHistogram()}. Two digits keep it at about 24 kB; three
   * would take seven times as much.
   */
  private static final int SIGNIFICANT_DIGITS = 2;

  /** Slots {@code first} and following; unsigned. The array is this snapshot's own. */
  private final int[] counts;

  private final int first;
  private final long count;
  private final double meanNanos;

  private LatencySnapshot(int[] counts, int first) {
    this.counts = counts;
    this.first = first;
    long total = 0;
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      long n = Integer.toUnsignedLong(counts[i]);
      total += n;
      sum += (double) n * LatencySlots.midpoint(first + i);
    }
    this.count = total;
    this.meanNanos = total == 0 ? 0 : sum / total;
  }

  /** A snapshot of so many latencies per slot, unsigned; {@code slotCounts} is copied. */
  public static LatencySnapshot of(int[] slotCounts) {
    int end = slotCounts.length;
    while (end > 0 && slotCounts[end - 1] == 0) {
      end--;
    }
    if (end == 0) {
      return EMPTY;
    }
    int start = 0;
    while (slotCounts[start] == 0) {
      start++;
    }
    return new LatencySnapshot(Arrays.copyOfRange(slotCounts, start, end), start);
  }

  /** How many latencies there are. */
  public long count() {
    return count;
  }

  /** Their mean in nanoseconds; 0 if there is none. */
  public double meanNanos() {
    return meanNanos;
  }

  /** The smallest in nanoseconds; 0 if there is none. */
  public long minNanos() {
    return count == 0 ? 0 : LatencySlots.midpoint(first);
  }

  /** The greatest in nanoseconds; 0 if there is none. */
  public long maxNanos() {
    return count == 0 ? 0 : LatencySlots.midpoint(first + counts.length - 1);
  }

  /**
   * The smallest latency, in nanoseconds, that at least {@code percentile} per cent of all do not
   * exceed; 0 if there is none.
   *
   * @param percentile from 0 (the smallest) to 100 (the greatest)
   * @throws IllegalArgumentException if it is outside of that, or no number
   */
  public long valueAtPercentile(double percentile) {
    if (!(percentile >= 0 && percentile <= 100)) {
      throw new IllegalArgumentException("percentile: " + percentile + " is not between 0 and 100");
    }
    // one step towards zero: that 99.9 has no exact double must not ask for one latency too many
    double share = Math.nextDown(percentile) / 100;
    long wanted = Math.max(1, (long) Math.ceil(share * count));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += Integer.toUnsignedLong(counts[i]);
      if (seen >= wanted) {
        return LatencySlots.midpoint(first + i);
      }
    }
    return 0;
  }

  /**
   * This distribution as an HdrHistogram, in nanoseconds, for code that merges or encodes these:
   * each slot's midpoint as often as it was counted. HdrHistogram's own rounding, of at most 0.8 %,
   * comes on top. A new one on each call, of about 24 kB.
   */
  public Histogram toHistogram() {
    Histogram histogram = new Histogram(1L << 6, LatencySlots.LIMIT_NANOS, SIGNIFICANT_DIGITS);
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        histogram.recordValueWithCount(
            LatencySlots.midpoint(first + i), Integer.toUnsignedLong(counts[i]));
      }
    }
    return histogram;
  }
}
