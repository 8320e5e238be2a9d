// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.view;

import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import org.jspecify.annotations.Nullable;

/**
 * A command, as a publisher reads it. In a live view, each method but the keys reads the moment of
 * its call, and two calls are two moments; {@link #snapshot()} has all of one. Thread-safe; never
 * blocks for longer than another reader needs. A count is of the command, not of its circuit: trips
 * do not reset it.
 */
public interface CommandView {

  /** The command's key. */
  String key();

  /** The key of the group it belongs to. */
  String group();

  /** The key of the pool its work runs on; null if it has none, as on a semaphore. */
  @Nullable String threadPoolKey();

  /** How often this event happened in the rolling window, the unfinished bucket included. */
  long rollingCount(EventType event);

  /** How often this event happened since the command was built. */
  long cumulativeCount(EventType event);

  /** How often each event happened: all of them for the cost of one. */
  CountsSnapshot counts();

  /**
   * What the circuit breaker would see now: the rolling window, or what of it came after the
   * circuit last closed.
   */
  HealthSnapshot health();

  /**
   * From the work's start to its end, without what it waited for a thread, in nanoseconds; of the
   * percentile window. Empty while percentiles are off.
   */
  LatencySnapshot executionLatency();

  /**
   * From the call to its answer, a fallback included, in nanoseconds; of the percentile window.
   * Empty while percentiles are off.
   */
  LatencySnapshot callerLatency();

  /** Both latencies, of one moment. */
  LatencySnapshots latencies();

  /**
   * All that was counted and recorded since the command was built, in one reading: for publishers
   * that keep no window of their own.
   */
  CommandTotals totals();

  /** Executions in flight: those that hold a permit now. */
  int concurrency();

  /**
   * How many executions may be in flight. Where the permits are shared, as those of a pool are,
   * other commands' executions hold some of them.
   */
  int concurrencyLimit();

  /** Fallbacks in flight: those that hold a permit now. A fallback that is a value holds none. */
  int fallbackConcurrency();

  /** How many fallbacks may be in flight. */
  int fallbackConcurrencyLimit();

  /** The most executions that were in flight at once in the rolling window. */
  int rollingMaxConcurrency();

  /** What the circuit breaker does with calls now. */
  CircuitState circuitState();

  /**
   * Works that go on although their execution has been answered, by a time-out or a cancellation:
   * threads that are still busy.
   */
  int stillBusy();

  /**
   * Calls of the rolling window that were let through only because of {@code
   * circuitBreaker.observeOnly}.
   */
  long rollingWouldRefuseCount();

  /**
   * Stages since the command was built that did not end although they had been cancelled, and lost
   * their permit after {@code execution.isolation.stage.abandonAfterInMilliseconds}.
   */
  long cumulativeAbandonedCount();

  /**
   * Calls since the command was built that were let through only because of {@code
   * circuitBreaker.observeOnly}.
   */
  long cumulativeWouldRefuseCount();

  /** All of this as it is now. */
  CommandSnapshot snapshot();
}
