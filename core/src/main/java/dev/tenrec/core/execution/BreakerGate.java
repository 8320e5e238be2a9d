// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.CircuitBreaker;
import dev.tenrec.core.breaker.Permission;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.metrics.CommandMetrics;
import org.jspecify.annotations.Nullable;

/** The first gate: the circuit breaker, as the settings want it to be asked. */
final class BreakerGate {

  private final CircuitBreaker breaker;
  private final CommandMetrics metrics;
  private final String commandKey;

  /** Made by the first call it refuses. Two made at once are as good as one. */
  private volatile @Nullable CircuitOpenException forcedOpen;

  BreakerGate(String commandKey, CircuitBreaker breaker, CommandMetrics metrics) {
    this.breaker = breaker;
    this.metrics = metrics;
    this.commandKey = commandKey;
  }

  /** What the call goes on with, or {@link Refusal#SHORT_CIRCUITED}. */
  Permission admit(Plan plan, long now) {
    Permission permission;
    switch (plan.breakerMode) {
      case GUARDING:
        permission = breaker.admit(now);
        return permission != null ? permission : Refusal.SHORT_CIRCUITED;
      case FORCED_OPEN:
        return Refusal.SHORT_CIRCUITED;
      case FORCED_CLOSED:
        permission = breaker.admit(now);
        return permission != null ? permission : Permission.UNGUARDED;
      case OBSERVING:
        permission = breaker.admit(now);
        if (permission == null) {
          metrics.countWouldRefuse();
          return Permission.UNGUARDED;
        }
        return permission;
      default:
        return Permission.UNGUARDED;
    }
  }

  /** A later gate refused: if this was a trial, its place is free again. */
  void handBack(Permission permission, long now) {
    breaker.handedBack(permission, now);
  }

  /** Why it refused: one shared exception for each time the circuit opened. */
  CircuitOpenException refusal(Plan plan) {
    return plan.breakerMode == Plan.BreakerMode.FORCED_OPEN ? forced() : breaker.refusal();
  }

  private CircuitOpenException forced() {
    CircuitOpenException present = forcedOpen;
    if (present == null) {
      forcedOpen = present = CircuitOpenException.forced(commandKey);
    }
    return present;
  }
}
