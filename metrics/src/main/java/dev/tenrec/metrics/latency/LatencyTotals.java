// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.latency;

import dev.tenrec.metrics.internal.slots.LatencySlots;
import java.util.Arrays;

/**
 * All latencies recorded since the beginning, slot by slot; immutable. For publishers that compute
 * rates and percentiles themselves, such as Prometheus: no count ever falls, with one exception.
 * Switching {@code metrics.rollingPercentile.enabled} off lets go of them, and switched on again
 * they start at zero.
 *
 * <p>Slots are those of {@link LatencySnapshot}: a latency is known to within 1.6 % from 2 µs on.
 */
public final class LatencyTotals {

  /** No latency at all. */
  public static final LatencyTotals EMPTY = new LatencyTotals(new long[0], 0);

  /** Receives slots, in growing order. */
  @FunctionalInterface
  public interface SlotReader {

    /**
     * One slot that is not empty.
     *
     * @param fromNanos its smallest latency
     * @param toNanos the first latency beyond it
     * @param count how many there are; more than 0
     */
    void slot(long fromNanos, long toNanos, long count);
  }

  /** Slots {@code first} and following. The array is this object's own. */
  private final long[] counts;

  private final int first;
  private final long count;
  private final double sumNanos;

  private LatencyTotals(long[] counts, int first) {
    this.counts = counts;
    this.first = first;
    long total = 0;
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      total += counts[i];
      sum += (double) counts[i] * LatencySlots.midpoint(first + i);
    }
    this.count = total;
    this.sumNanos = sum;
  }

  /** So many latencies in each slot; {@code slotCounts} is copied. */
  public static LatencyTotals of(long[] slotCounts) {
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
    return new LatencyTotals(Arrays.copyOfRange(slotCounts, start, end), start);
  }

  /** How many latencies there are. */
  public long count() {
    return count;
  }

  /**
   * Their sum in nanoseconds, made of the slots' midpoints: wrong by at most 1.6 % from 2 µs on.
   */
  public double sumNanos() {
    return sumNanos;
  }

  /**
   * What was recorded between an earlier reading and this one. Where latencies were let go of in
   * between, it is what was recorded after that.
   */
  public LatencyTotals since(LatencyTotals earlier) {
    long[] recorded = new long[first + counts.length];
    boolean restarted = false;
    for (int slot = 0;
        slot < Math.max(recorded.length, earlier.first + earlier.counts.length);
        slot++) {
      long more = countOf(slot) - earlier.countOf(slot);
      restarted |= more < 0;
      if (slot < recorded.length) {
        recorded[slot] = more;
      }
    }
    return restarted ? this : of(recorded);
  }

  private long countOf(int slot) {
    return slot < first || slot >= first + counts.length ? 0 : counts[slot - first];
  }

  /**
   * How many latencies are at most as long as each bound: the buckets of a classic histogram. A
   * slot counts below a bound if its midpoint does, so that the count at a bound may be that of a
   * bound up to 1.6 % away.
   *
   * @param boundsNanos in growing order
   * @return as many counts, each containing the one before
   * @throws IllegalArgumentException if a bound is less than the one before
   */
  public long[] countsUpTo(long... boundsNanos) {
    long[] upTo = new long[boundsNanos.length];
    long seen = 0;
    int slot = 0;
    for (int b = 0; b < boundsNanos.length; b++) {
      if (b > 0 && boundsNanos[b] < boundsNanos[b - 1]) {
        throw new IllegalArgumentException(
            "boundsNanos: "
                + boundsNanos[b]
                + " comes after "
                + boundsNanos[b - 1]
                + ", expected growing bounds");
      }
      while (slot < counts.length && LatencySlots.midpoint(first + slot) <= boundsNanos[b]) {
        seen += counts[slot];
        slot++;
      }
      upTo[b] = seen;
    }
    return upTo;
  }

  /** Has each slot that is not empty read, the shortest latencies first. */
  public void forEachSlot(SlotReader reader) {
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] != 0) {
        int slot = first + i;
        long next =
            slot + 1 == LatencySlots.COUNT
                ? LatencySlots.LIMIT_NANOS
                : LatencySlots.lowest(slot + 1);
        reader.slot(LatencySlots.lowest(slot), next, counts[i]);
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LatencyTotals that
        && first == that.first
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return 31 * first + Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return count + " latencies, " + Math.round(sumNanos) + " ns in sum";
  }
}
