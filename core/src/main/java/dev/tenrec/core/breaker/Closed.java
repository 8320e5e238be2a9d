// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

import dev.tenrec.core.outcome.CircuitOpenException;
import org.jspecify.annotations.Nullable;

/** Every call goes through. The state itself is the permission, so that a call costs no object. */
final class Closed extends BreakerState implements Permission {

  /**
   * What the open period before this one told its calls, for a call that asks just after the close;
   * null before the first trip.
   */
  final @Nullable CircuitOpenException lastRefusal;

  Closed(Journal journal, @Nullable CircuitOpenException lastRefusal) {
    super(journal);
    this.lastRefusal = lastRefusal;
  }

  @Override
  CircuitState name() {
    return CircuitState.CLOSED;
  }
}
