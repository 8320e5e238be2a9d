// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import dev.tenrec.metrics.view.CommandTotals;

/**
 * All that {@link CommandMetrics} measures, of one moment: its counters were summed once, so counts
 * and health are of one set of calls.
 *
 * @param counts how often each event was counted
 * @param health what the breaker would see
 * @param latencies both latencies
 * @param rollingMaxConcurrency the greatest concurrency in the rolling window
 * @param rollingWouldRefuse calls of the rolling window that went through only because the breaker
 *     observes
 * @param totals all there is since the beginning
 */
public record CommandReading(
    CountsSnapshot counts,
    HealthSnapshot health,
    LatencySnapshots latencies,
    int rollingMaxConcurrency,
    long rollingWouldRefuse,
    CommandTotals totals) {}
