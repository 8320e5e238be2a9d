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

  /** What was recorded since {@code windowStartNanos}, slot by slot; to be read as unsigned. */
  int[] since(long windowStartNanos) {
    int[] totals = totals();
    history.subtractUntil(windowStartNanos, totals);
    return totals;
  }

  /** Adds what was recorded since the beginning, slot by slot. */
  void addTotalsTo(long[] sums) {
    if (slots.isUntouched()) {
      return;
    }
    int[] totals = totals();
    fold(totals);
    CumulativeTotals folded = wide;
    for (int i = 0; i < totals.length; i++) {
      sums[i] += folded == null ? totals[i] : folded.get(i);
    }
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
}
