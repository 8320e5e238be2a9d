// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.view;

/** What a circuit breaker does with calls. */
public enum CircuitState {
  /** Lets all through, and watches the health. */
  CLOSED,
  /** Short-circuits all until its sleep window is over. */
  OPEN,
  /** Lets a few trials through to see whether the dependency has recovered. */
  HALF_OPEN,
  /** Short-circuits all, because {@code circuitBreaker.forceOpen} says so. */
  FORCED_OPEN,
  /** Lets all through whatever the health, because {@code circuitBreaker.forceClosed} says so. */
  FORCED_CLOSED,
  /** There is none: {@code circuitBreaker.enabled} is off. */
  DISABLED
}
