// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import dev.tenrec.metrics.internal.slots.LatencySlots;
import dev.tenrec.metrics.latency.LatencyTotals;
import java.time.Duration;
import java.util.function.DoubleUnaryOperator;

/** Recorded latencies of known distributions. */
final class Latencies {

  private Latencies() {}

  /** As many as expected in each slot of a distribution, by the share below each bound. */
  static LatencyTotals of(long count, DoubleUnaryOperator shareBelowNanos) {
    long[] slots = new long[LatencySlots.COUNT];
    double before = 0;
    for (int slot = 0; slot < slots.length; slot++) {
      double upTo =
          slot + 1 == slots.length
              ? 1
              : shareBelowNanos.applyAsDouble(LatencySlots.lowest(slot + 1));
      slots[slot] = Math.round(upTo * count) - Math.round(before * count);
      before = upTo;
    }
    return LatencyTotals.of(slots);
  }

  static LatencyTotals exponential(long count, Duration mean) {
    return of(count, nanos -> 1 - Math.exp(-nanos / mean.toNanos()));
  }

  /** What a time-out leaves of them: the longer ones end with it. */
  static LatencyTotals cutOff(LatencyTotals whole, Duration timeout) {
    long[] slots = new long[LatencySlots.COUNT];
    whole.forEachSlot(
        (from, to, count) ->
            slots[LatencySlots.indexOf(Math.min(from, timeout.toNanos()))] += count);
    return LatencyTotals.of(slots);
  }
}
