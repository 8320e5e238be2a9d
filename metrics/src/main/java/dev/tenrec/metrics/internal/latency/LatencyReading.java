// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.latency;

import dev.tenrec.metrics.latency.LatencySnapshots;
import dev.tenrec.metrics.latency.LatencyTotals;

/**
 * What {@link CommandLatencies} stood at when each recorder was summed once.
 *
 * @param successes {@link CommandLatencies#successes()}
 * @param window both latencies in the window; empty where it was not asked for
 * @param execution the executions' latencies since the beginning
 * @param caller the callers' latencies since the beginning; the same object where all were recorded
 *     for both
 */
public record LatencyReading(
    int successes, LatencySnapshots window, LatencyTotals execution, LatencyTotals caller) {

  /** While percentiles are off. */
  public static final LatencyReading NONE =
      new LatencyReading(0, LatencySnapshots.EMPTY, LatencyTotals.EMPTY, LatencyTotals.EMPTY);

  LatencyReading with(LatencySnapshots of) {
    return new LatencyReading(successes, of, execution, caller);
  }
}
