// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.CircuitBreaker;
import dev.tenrec.core.breaker.Permission;
import dev.tenrec.core.breaker.Refused;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.metrics.CommandMetrics;
import org.jspecify.annotations.Nullable;

/** The first gate: the circuit breaker, as the settings want it to be asked. */
final class BreakerGate {

  private final CircuitBreaker breaker;
  private final CommandMetrics metrics;
  private final String commandKey;

  /** Made by the first call it refuses. Two made at once are as good as one. */
  private volatile @Nullable Refused forcedOpen;

  BreakerGate(String commandKey, CircuitBreaker breaker, CommandMetrics metrics) {
    this.breaker = breaker;
    this.metrics = metrics;
    this.commandKey = commandKey;
  }

  /** What the call goes on with, or a {@link Refused} that says why not. */
  Permission admit(Plan plan, long now) {
    switch (plan.breakerMode) {
      case GUARDING:
        return breaker.admit(now);
      case FORCED_OPEN:
        return forced();
      case FORCED_CLOSED:
        return orUnguarded(breaker.admit(now));
      case OBSERVING:
        Permission permission = breaker.admit(now);
        if (permission instanceof Refused) {
          metrics.countWouldRefuse();
        }
        return orUnguarded(permission);
      default:
        return Permission.UNGUARDED;
    }
  }

  /** A later gate refused: if this was a trial, its place is free again. */
  void handBack(Permission permission, long now) {
    breaker.handedBack(permission, now);
  }

  private static Permission orUnguarded(Permission permission) {
    return permission instanceof Refused ? Permission.UNGUARDED : permission;
  }

  private Refused forced() {
    Refused present = forcedOpen;
    if (present == null) {
      forcedOpen = present = new Refused(CircuitOpenException.forced(commandKey));
    }
    return present;
  }
}
