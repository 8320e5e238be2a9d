// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencyTotals;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a command did for a while, and what bounds it.
 *
 * @param key of the command
 * @param pool the key of its thread pool; null if its work runs on permits: on a semaphore or on
 *     virtual threads
 * @param permitsProperty the property that holds its permits; null on a pool
 * @param sharedSemaphore the semaphore that bounds it and other commands; null if there is none
 * @param time how long it was observed, above 0
 * @param events how often each event happened in that time
 * @param execution the execution latencies of that time, those of timed-out calls included
 * @param mostInFlight the most calls that were seen in flight at once, in the queue or at work
 * @param othersExecuted how many calls of other commands the pool executed in that time
 * @param stillBusy threads that work for calls that have ended
 * @param limits what bounds its calls
 * @param setTimeout the time-out that is set, whether or not it is enabled
 * @param fallbackPermits how many fallbacks may run at once
 * @param errorThreshold from how many per cent of trouble the circuit opens
 * @param volumeThreshold how many calls there must be in the window before it may
 * @param window of the circuit's figures
 */
record Observation(
    String key,
    @Nullable String pool,
    @Nullable String permitsProperty,
    @Nullable String sharedSemaphore,
    Duration time,
    EventCounts events,
    LatencyTotals execution,
    int mostInFlight,
    long othersExecuted,
    int stillBusy,
    Limits limits,
    Duration setTimeout,
    int fallbackPermits,
    int errorThreshold,
    int volumeThreshold,
    Duration window) {

  /** Checks what would make nonsense of the rest. */
  Observation {
    Objects.requireNonNull(key, "key");
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("time is " + time + ", expected more than 0");
    }
    if ((pool == null) == (permitsProperty == null)) {
      throw new IllegalArgumentException(
          "pool is " + pool + " and permitsProperty " + permitsProperty + ", expected one of them");
    }
  }

  double seconds() {
    return time.toNanos() / 1e9;
  }

  /**
   * Calls that began their work, each attempt counted. Without those that came to the deadline of
   * the call they were made in, for some of these did not begin.
   */
  long begun() {
    return events.get(EventType.SUCCESS)
        + events.get(EventType.FAILURE)
        + events.get(EventType.TIMEOUT)
        + events.get(EventType.BAD_REQUEST);
  }

  /** Calls that found no room. */
  long refused() {
    return events.get(EventType.THREAD_POOL_REJECTED) + events.get(EventType.SEMAPHORE_REJECTED);
  }

  /** Calls that came to the bulkhead: what an open circuit or a rate limiter refused did not. */
  long arrivals() {
    return begun() + refused();
  }

  double perSecond() {
    return arrivals() / seconds();
  }
}
