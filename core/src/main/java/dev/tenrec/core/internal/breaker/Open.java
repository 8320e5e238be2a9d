// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.view.CircuitState;

/** Calls are refused. Also the identity of the half-open period that follows. */
final class Open extends BreakerState {

  final long openedAtNanos;

  /** The numbers that tripped the circuit; a failed trial passes them on. */
  final HealthSnapshot health;

  /** For every call this period refuses. */
  final Refused refusal;

  Open(TransitionHistory history, long openedAtNanos, HealthSnapshot health, Refused refusal) {
    super(history);
    this.openedAtNanos = openedAtNanos;
    this.health = health;
    this.refusal = refusal;
  }

  /** A difference of two readings, so the clock's origin and sign do not matter. */
  boolean isSleepOver(long now, long sleepWindowNanos) {
    return now - openedAtNanos >= sleepWindowNanos;
  }

  @Override
  CircuitState name() {
    return CircuitState.OPEN;
  }
}
