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

  /**
   * How many there have been; immutable.
   *
   * @param byReason for each reason; one that is missing here had none
   * @param missed those whose reason was forgotten before it was read
   */
  record Counts(Map<TransitionReason, Long> byReason, long missed) {

    static final Counts NONE = new Counts(Map.of(), 0);

    /** How many were made for this reason. */
    long of(TransitionReason reason) {
      return byReason.getOrDefault(reason, 0L);
    }
  }

  private final Supplier<List<Transition>> last;

  /** Guarded by this, as what follows. */
  private Counts counts = Counts.NONE;

  private long seen;

  TransitionTally(Supplier<List<Transition>> last) {
    this.last = last;
  }

  /** Looks at the last ones, and adds those that are new. */
  synchronized Counts read() {
    List<Transition> all = last.get();
    if (!all.isEmpty() && all.get(all.size() - 1).number() > seen) {
      Map<TransitionReason, Long> byReason = new EnumMap<>(TransitionReason.class);
      byReason.putAll(counts.byReason());
      long missed = counts.missed();
      for (Transition transition : all) {
        if (transition.number() > seen) {
          missed += transition.number() - seen - 1;
          seen = transition.number();
          byReason.merge(transition.reason(), 1L, Long::sum);
        }
      }
      counts = new Counts(byReason, missed);
    }
    return counts;
  }
}
