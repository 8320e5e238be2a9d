// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.core.breaker.Transition;

/**
 * Receives a breaker's transitions, on the thread that made them. What it throws is logged, and
 * changes nothing. It should be quick: it runs inside a call.
 */
public interface TransitionListener {

  /** Hears nothing. */
  TransitionListener NONE = transition -> {};

  /**
   * The circuit is about to close: health has to start from zero now. Comes before any thread can
   * see the closed state, so that no look can take the numbers of the time before for those of the
   * new period. It may come more than once for one close, and without a close when another trial
   * fails at the same moment.
   */
  default void closing() {}

  /**
   * The state has changed. Two transitions by different threads may be reported at the same time or
   * in reverse: {@link Transition#number} has their order.
   */
  void changed(Transition transition);
}
