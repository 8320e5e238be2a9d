// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.isolation.Permits;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a call passes before its work begins, in this order: breaker, rate limiter, bulkhead. A gate
 * looks and answers; it does not wait, and knows nothing of executions.
 *
 * @param <A> what the command is called with
 */
public final class Gates<A extends @Nullable Object> {

  private final BreakerGate breaker;
  private final @Nullable Function<? super A, ? extends @Nullable Object> rateKey;

  /**
   * The gates of one built command.
   *
   * @param breaker the first gate; plans have the others
   * @param rateKey by what the rate is limited; null if all calls have one rate
   */
  public Gates(
      BreakerGate breaker, @Nullable Function<? super A, ? extends @Nullable Object> rateKey) {
    this.breaker = breaker;
    this.rateKey = rateKey;
  }

  /** Whether each key has a rate of its own. */
  public boolean limitRateByKey() {
    return rateKey != null;
  }

  /**
   * What the call goes on with; or {@link Refused} by the breaker, or {@link Rejected} by the rate
   * limiter or the bulkhead. Throws what the function throws that finds the rate's key; the call
   * holds nothing then.
   */
  public Permission enter(Plan plan, A argument, long now) {
    Permission permission = StackRoom.admit(breaker, plan, now);
    if (permission instanceof Refused) {
      return permission;
    }
    if (plan.rate != null) {
      Rejected rejected = rejectedByRate(plan.rate, permission, argument, now);
      if (rejected != null) {
        return rejected;
      }
    }
    long taken;
    try {
      taken = plan.bulkhead.enter();
    } catch (Throwable noMemory) { // for the first permits there are
      leaveBreaker(permission, now);
      throw noMemory;
    }
    if (taken == Permits.TAKEN) {
      return permission;
    }
    leaveBreaker(permission, now);
    plan.starter.refused(now);
    return RejectedByBulkhead.on(taken);
  }

  /** A trial's place is free again if the rate limiter refuses. */
  private @Nullable RejectedByRate rejectedByRate(
      RateGate gate, Permission permission, A argument, long now) {
    RejectedByRate rejected;
    try {
      rejected = rateKey == null ? gate.enter(now) : gate.enter(rateKey.apply(argument), now);
    } catch (Throwable thrown) { // the key is the user's code; or there is no memory
      leaveBreaker(permission, now);
      throw thrown;
    }
    if (rejected != null) {
      leaveBreaker(permission, now);
    }
    return rejected;
  }

  /** What was let through did not come about: if it was a trial, its place is free again. */
  public void leaveBreaker(Permission permission, long now) {
    breaker.release(permission, now);
  }
}
