// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.metrics.view.CircuitState;

/** Every call goes through. The state itself is the permission, so that a call costs no object. */
final class Closed extends BreakerState implements Permission {

  Closed(TransitionHistory history) {
    super(history);
  }

  @Override
  CircuitState name() {
    return CircuitState.CLOSED;
  }
}
