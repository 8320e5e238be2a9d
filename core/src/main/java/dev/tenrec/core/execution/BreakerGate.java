// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.CircuitBreaker;
import dev.tenrec.core.breaker.Permission;
import dev.tenrec.core.breaker.Refused;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.metrics.CommandMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The first gate: the circuit breaker, as the settings want it to be asked. A call that it would
 * let through looks at the health first, if there was trouble that nobody has looked at for too
 * long: whoever comes after a silence is not the one to find out.
 */
final class BreakerGate {

  private final CircuitBreaker breaker;
  private final CommandMetrics metrics;
  private final OutcomeRecorder recorder;
  private final String commandKey;

  /** Made by the first call it refuses. Two made at once are as good as one. */
  private volatile @Nullable Refused forcedOpen;

  BreakerGate(
      String commandKey, CircuitBreaker breaker, CommandMetrics metrics, OutcomeRecorder recorder) {
    this.breaker = breaker;
    this.metrics = metrics;
    this.recorder = recorder;
    this.commandKey = commandKey;
  }

  /** What the call goes on with, or a {@link Refused} that says why not. */
  Permission admit(Plan plan, long now) {
    switch (plan.breakerMode) {
      case GUARDING:
        return ask(plan, now);
      case FORCED_OPEN:
        return forced();
      case FORCED_CLOSED:
        return orUnguarded(ask(plan, now));
      case OBSERVING:
        Permission permission = ask(plan, now);
        if (permission instanceof Refused) {
          metrics.countWouldRefuse();
        }
        return orUnguarded(permission);
      default:
        return Permission.UNGUARDED;
    }
  }

  private Permission ask(Plan plan, long now) {
    Permission permission = breaker.admit(now);
    return permission instanceof Refused || !metrics.isDueBeforeCall(now)
        ? permission
        : askAfterALook(plan, permission, now);
  }

  private Permission askAfterALook(Plan plan, Permission permission, long now) {
    if (!breaker.isUndisturbed(permission)) {
      return permission; // a trial: it finds out by itself
    }
    recorder.lookBeforeCall(plan, now);
    return breaker.admit(now);
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
