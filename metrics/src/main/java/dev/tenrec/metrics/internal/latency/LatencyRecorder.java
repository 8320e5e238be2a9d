// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.latency;

import dev.tenrec.metrics.internal.rolling.CumulativeTotals;
import dev.tenrec.metrics.internal.rolling.History;
import dev.tenrec.metrics.internal.rolling.StripedCounters;
import dev.tenrec.metrics.internal.slots.LatencySlots;
import org.jspecify.annotations.Nullable;

/**
 * Records latencies, and remembers what a rolling window of them needs. {@link #record} is for any
 * thread and is lock-free; everything else is ordered by the owner's lock.
 */
final class LatencyRecorder {

  private final StripedCounters slots = new StripedCounters(LatencySlots.COUNT);
  private final History history = new History();

  /**
   * Null while no slot has reached half of what an int holds: until then the slots are the counts
   * since the beginning. Two rolls are never 2^31 records apart, so no wrap is missed.
   */
  private @Nullable CumulativeTotals wide;

  /** Counts one latency, in nanoseconds. */
  void record(long latencyNanos) {
    slots.add(LatencySlots.indexOf(latencyNanos));
  }

  /** How many were recorded, modulo 2^32. */
  int count() {
    return slots.sum();
  }

  /**
   * Remembers where the slots stand, as from {@code boundaryNanos}, and forgets what is older than
   * the window needs.
   */
  void roll(long boundaryNanos, long windowStartNanos) {
    if (!slots.isUntouched()) {
      int[] totals = totals();
      fold(totals);
      history.append(boundaryNanos, totals);
      history.prune(windowStartNanos);
    }
  }

  /** Sums all slots as they stand now. */
  Sums sum() {
    return new Sums(totals());
  }

  /** The window begins now, with nothing in it. */
  void restart() {
    if (!slots.isUntouched()) {
      int[] totals = totals();
      fold(totals);
      history.restart(totals);
    }
  }

  private void fold(int[] totals) {
    CumulativeTotals folded = wide;
    if (folded == null) {
      int bits = 0;
      for (int total : totals) {
        bits |= total;
      }
      if (bits >= 0) {
        return;
      }
      wide = folded = new CumulativeTotals();
    }
    folded.fold(totals);
  }

  private int[] totals() {
    int[] totals = new int[LatencySlots.COUNT];
    slots.sumInto(totals);
    return totals;
  }

  /**
   * One sum of all slots, for whatever is asked of it: summing is most of what a reader's question
   * costs. Good for as long as the owner's lock is held.
   */
  final class Sums {

    private final int[] totals;
    private final int count;
    private final int end;

    private Sums(int[] totals) {
      this.totals = totals;
      int all = 0;
      int bits = 0;
      int beyond = 0;
      for (int i = 0; i < totals.length; i++) {
        int total = totals[i];
        if (total != 0) { // few are not: one pass, and little in it
          all += total;
          bits |= total;
          beyond = i + 1;
        }
      }
      if (wide != null || bits < 0) {
        fold(totals);
        beyond = totals.length; // an int may have wrapped around to zero
      }
      this.count = all;
      this.end = beyond;
    }

    /** How many were recorded, modulo 2^32. */
    int count() {
      return count;
    }

    /** The first slot beyond the last one that is not empty. */
    int end() {
      return end;
    }

    /** Adds what was recorded since the beginning, slot by slot up to {@link #end()}. */
    void addTo(long[] sums) {
      CumulativeTotals folded = wide;
      for (int i = 0; i < end; i++) {
        sums[i] += folded == null ? totals[i] : folded.get(i);
      }
    }

    /**
     * What was recorded since {@code windowStartNanos}, slot by slot; to be read as unsigned. Made
     * of the sums themselves, so nothing else can be asked of them afterwards.
     */
    int[] takeSince(long windowStartNanos) {
      history.subtractUntil(windowStartNanos, totals);
      return totals;
    }
  }
}
