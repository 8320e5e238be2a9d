// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.journal;

import dev.tenrec.core.breaker.Transition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Brings the transitions of one circuit into their order. Each thread that makes one brings it
 * here, and may come after the thread that made the next: the first of them takes what its circuit
 * still has of the others along. Not thread-safe: the journal's monitor guards it.
 */
public final class TransitionOrder {

  private final Supplier<List<Transition>> last;

  /** Made before this one, and forgotten by the circuit before their threads brought them. */
  private final Set<Long> skipped = new HashSet<>();

  private long taken;

  /**
   * None was made yet.
   *
   * @param last reads the last transitions of the circuit, oldest first, at most some; it waits for
   *     nothing
   */
  public TransitionOrder(Supplier<List<Transition>> last) {
    this.last = last;
  }

  /** This one and those it takes along, without those that were taken before; in their order. */
  List<Transition> take(Transition own) {
    List<Transition> due = new ArrayList<>(1);
    if (own.number() <= taken) {
      if (skipped.remove(own.number())) {
        due.add(own);
      }
      return due;
    }
    for (Transition next : last.get()) {
      if (next.number() > own.number() && taken < own.number()) {
        advance(own, due); // the circuit has forgotten it
      }
      if (next.number() > taken) {
        advance(next, due);
      }
    }
    if (own.number() > taken) {
      advance(own, due);
    }
    return due;
  }

  private void advance(Transition next, List<Transition> due) {
    for (long number = taken + 1; number < next.number(); number++) {
      skipped.add(number);
    }
    taken = next.number();
    due.add(next);
  }
}
