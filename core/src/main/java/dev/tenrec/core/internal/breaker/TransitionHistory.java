// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.core.breaker.Transition;
import java.util.ArrayList;
import java.util.List;

/** The last transitions of a breaker, oldest first. Immutable. */
record TransitionHistory(List<Transition> transitions) {

  /** How many transitions are kept: a few trips with their trials. */
  static final int CAPACITY = 16;

  static final TransitionHistory EMPTY = new TransitionHistory(List.of());

  TransitionHistory plus(Transition transition) {
    List<Transition> next = new ArrayList<>(transitions);
    if (next.size() == CAPACITY) {
      next.remove(0);
    }
    next.add(transition);
    return new TransitionHistory(List.copyOf(next));
  }

  long nextNumber() {
    return transitions.isEmpty() ? 1 : latest().number() + 1;
  }

  Transition latest() {
    return transitions.get(transitions.size() - 1);
  }
}
