// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer.internal;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionReason;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts the transitions of a circuit by their reason, out of the few last ones that a command
 * keeps. Transitions are numbered, so what came and went between two readings is known in number,
 * if not by reason, and the sum of all counts is exact.
 */
final class TransitionTally {

  private final Supplier<List<Transition>> last;

  /** Guarded by this, as all that follows. */
  private final Map<TransitionReason, Long> counts = new EnumMap<>(TransitionReason.class);

  private long seen;
  private long missed;

  TransitionTally(Supplier<List<Transition>> last) {
    this.last = last;
  }

  /** How many were made for this reason. */
  synchronized long count(TransitionReason reason) {
    look();
    return counts.getOrDefault(reason, 0L);
  }

  /** How many were made whose reason was forgotten before it was read. */
  synchronized long missed() {
    look();
    return missed;
  }

  private void look() {
    for (Transition transition : last.get()) {
      if (transition.number() > seen) {
        missed += transition.number() - seen - 1;
        seen = transition.number();
        counts.merge(transition.reason(), 1L, Long::sum);
      }
    }
  }
}
