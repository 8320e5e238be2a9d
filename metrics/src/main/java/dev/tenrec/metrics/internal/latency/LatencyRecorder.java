// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.latency;

import dev.tenrec.metrics.internal.rolling.History;
import dev.tenrec.metrics.internal.rolling.StripedCounters;
import dev.tenrec.metrics.internal.slots.LatencySlots;

/**
 * Records latencies, and remembers what a rolling window of them needs. {@link #record} is for any
 * thread and is lock-free; everything else is ordered by the owner's lock.
 */
final class LatencyRecorder {

  private final StripedCounters slots = new StripedCounters(LatencySlots.COUNT);
  private final History history = new History();

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
      history.append(boundaryNanos, totals());
      history.prune(windowStartNanos);
    }
  }

  /** What was recorded since {@code windowStartNanos}, slot by slot; to be read as unsigned. */
  int[] since(long windowStartNanos) {
    int[] totals = totals();
    history.subtractUntil(windowStartNanos, totals);
    return totals;
  }

  private int[] totals() {
    int[] totals = new int[LatencySlots.COUNT];
    slots.sumInto(totals);
    return totals;
  }
}
