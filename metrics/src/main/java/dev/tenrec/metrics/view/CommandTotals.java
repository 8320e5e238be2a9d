// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.view;

import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.latency.LatencyTotals;

/**
 * All that a command has counted since it was built, read in one go: what a publisher that keeps no
 * window of its own needs. No number ever falls, but for the latencies when percentiles are
 * switched off; resetting the metrics leaves all of it.
 *
 * @param events how often each event happened
 * @param wouldRefuse calls that were let through only because of {@code observeOnly}
 * @param abandoned stages that lost their permit because they did not end
 * @param execution from the work's start to its end
 * @param caller from the call to its answer, a fallback included
 */
public record CommandTotals(
    EventCounts events,
    long wouldRefuse,
    long abandoned,
    LatencyTotals execution,
    LatencyTotals caller) {}
