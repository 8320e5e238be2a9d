// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.command;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.List;
import java.util.function.Supplier;

/**
 * A command or guard, as the table and the accounting see it.
 *
 * @param isolation where its work runs, in words
 * @param view what Tenrec counts of it
 * @param journal the transitions of its circuit so far
 * @param builtNanos when it was built, since the run began
 */
public record WatchedCommand(
    String isolation, CommandView view, Supplier<List<Transition>> journal, long builtNanos) {

  /** Its key. */
  public String key() {
    return view.key();
  }

  /** When this happened, since the run began. */
  public long atNanos(Transition transition) {
    return builtNanos + transition.sinceCreationNanos();
  }

  /** How often all of these events happened so far. */
  public long count(EventType... events) {
    long sum = 0;
    for (EventType event : events) {
      sum += view.cumulativeCount(event);
    }
    return sum;
  }
}
