// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.breaker.CircuitBreaker;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.gate.Plan.BreakerMode;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.metrics.internal.CommandMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The first gate: the circuit breaker, as the settings want it to be asked. A call that it would
 * let through looks at the health first, if there was trouble that no thread has looked at for too
 * long. So a call that comes after a silence meets a circuit that knows of the trouble before it.
 */
public final class BreakerGate implements StackRoom.Next<Plan> {

  private final CircuitBreaker breaker;
  private final CommandMetrics metrics;
  private final HealthCheck health;
  private final String commandKey;

  /** Made by the first call it refuses. Two made at once are as good as one. */
  private volatile @Nullable Refused forcedOpen;

  public BreakerGate(
      String commandKey, CircuitBreaker breaker, CommandMetrics metrics, HealthCheck health) {
    this.breaker = breaker;
    this.metrics = metrics;
    this.health = health;
    this.commandKey = commandKey;
  }

  /**
   * What the call goes on with, or a {@link Refused} that says why not. Without a switch, whose
   * hidden class the first call would initialize, and lose for ever if there is no memory then.
   */
  @Override
  public Permission admit(Plan plan, long now) {
    BreakerMode mode = plan.breakerMode;
    if (mode == BreakerMode.GUARDING) {
      return ask(now);
    }
    if (mode == BreakerMode.FORCED_OPEN) {
      return forced();
    }
    if (mode == BreakerMode.FORCED_CLOSED) {
      return orUnguarded(ask(now));
    }
    if (mode == BreakerMode.OBSERVING) {
      return observed(ask(now), now);
    }
    return Permission.UNGUARDED;
  }

  private Permission ask(long now) {
    Permission permission = breaker.admit(now);
    return permission instanceof Refused || !metrics.isDueBeforeCall(now)
        ? permission
        : askAfterALook(permission, now);
  }

  private Permission askAfterALook(Permission permission, long now) {
    if (!breaker.isUndisturbed(permission)) {
      return permission; // a trial: it finds out by itself
    }
    health.lookBeforeCall(now);
    return breaker.admit(now);
  }

  /** A later gate refused: if this was a trial, its place is free again. */
  public void release(Permission permission, long now) {
    breaker.released(permission, now);
  }

  private Permission observed(Permission permission, long now) {
    if (permission instanceof Refused) {
      if (metrics.isDue(now)) {
        metrics.roll(now); // else it would be counted in a bucket that has ended
      }
      metrics.countWouldRefuse();
    }
    return orUnguarded(permission);
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
