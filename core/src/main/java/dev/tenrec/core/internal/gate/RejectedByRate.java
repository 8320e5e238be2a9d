// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.outcome.CommandRejectedException;

/** In the place of a permission: the rate limiter had no permit. */
public final class RejectedByRate extends Rejected {

  private final RateGate gate;
  private final long waitNanos;

  RejectedByRate(RateGate gate, long waitNanos) {
    this.gate = gate;
    this.waitNanos = waitNanos;
  }

  /** The gate that refused. */
  public RateGate gate() {
    return gate;
  }

  /** From the call to the next permit. */
  public long waitNanos() {
    return waitNanos;
  }

  public CommandRejectedException refusal(String commandKey, boolean stackTraces) {
    return CommandRejectedException.rateLimited(
        commandKey, gate.name(), gate.permits(), waitNanos, stackTraces);
  }
}
