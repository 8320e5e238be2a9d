// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.view;

import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import org.jspecify.annotations.Nullable;

/**
 * A {@link CommandView} that has stopped: everything is of the moment it was made. Counts, health,
 * latencies and the greatest concurrency are of one set of calls; the other gauges were read right
 * after them, while calls went on.
 *
 * @param key see {@link CommandView#key()}, and so for each
 * @param group the key of its group
 * @param threadPoolKey the key of its pool; null if it has none
 * @param counts how often each event happened
 * @param health what the circuit breaker would have seen
 * @param latencies both latencies
 * @param totals all that was counted and recorded since the command was built
 * @param concurrency executions in flight
 * @param concurrencyLimit how many there may be
 * @param fallbackConcurrency fallbacks in flight
 * @param fallbackConcurrencyLimit how many there may be
 * @param rollingMaxConcurrency the most there were in the rolling window
 * @param circuitState what the circuit breaker did with calls
 * @param stillBusy works that went on although their execution had been answered
 * @param rollingWouldRefuseCount calls let through only because of {@code observeOnly}
 */
public record CommandSnapshot(
    String key,
    String group,
    @Nullable String threadPoolKey,
    CountsSnapshot counts,
    HealthSnapshot health,
    LatencySnapshots latencies,
    CommandTotals totals,
    int concurrency,
    int concurrencyLimit,
    int fallbackConcurrency,
    int fallbackConcurrencyLimit,
    int rollingMaxConcurrency,
    CircuitState circuitState,
    int stillBusy,
    long rollingWouldRefuseCount)
    implements CommandView {

  @Override
  public long rollingCount(EventType event) {
    return counts.rolling().get(event);
  }

  @Override
  public long cumulativeCount(EventType event) {
    return counts.cumulative().get(event);
  }

  @Override
  public long cumulativeWouldRefuseCount() {
    return totals.wouldRefuse();
  }

  @Override
  public long cumulativeAbandonedCount() {
    return totals.abandoned();
  }

  @Override
  public LatencySnapshot executionLatency() {
    return latencies.execution();
  }

  @Override
  public LatencySnapshot callerLatency() {
    return latencies.caller();
  }

  /** This snapshot. */
  @Override
  public CommandSnapshot snapshot() {
    return this;
  }
}
