// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.metrics.view.CircuitState;

/**
 * The whole state of a breaker at one moment: immutable, and replaced by compare-and-set. The
 * object's identity is the generation: as long as a state is referred to, no other is at its
 * address, so there is no counter to overflow and nothing to mistake.
 *
 * <p>The history is part of it, so its order is that of the transitions, whichever threads made
 * them.
 */
abstract sealed class BreakerState permits Closed, Open, HalfOpen {

  final TransitionHistory history;

  BreakerState(TransitionHistory history) {
    this.history = history;
  }

  abstract CircuitState name();
}
