// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * From which counts and transitions on a test counts: those that tests before it have left, where
 * they share a Tenrec; zero everywhere else. Thread-safe.
 */
final class Baselines {

  private record Baseline(EventCounts counts, long lastTransition) {}

  /** Of commands' views, of which there is one object for each command. */
  private static final Map<CommandDetails, Baseline> PRESENT =
      Collections.synchronizedMap(new WeakHashMap<>());

  private Baselines() {}

  /** From now on what has been so far does not count. */
  static void beginAnew(Tenrec tenrec) {
    for (CommandDetails command : tenrec.commands()) {
      List<Transition> made = command.transitions();
      long last = made.isEmpty() ? 0 : made.get(made.size() - 1).number();
      PRESENT.put(command, new Baseline(EventCounts.of(command::cumulativeCount), last));
    }
  }

  /** How often the event was counted since. */
  static long count(CommandDetails command, EventType event) {
    Baseline baseline = PRESENT.get(command);
    return command.cumulativeCount(event) - (baseline == null ? 0 : baseline.counts().get(event));
  }

  /** The transitions made since, oldest first. */
  static List<Transition> transitions(CommandDetails command) {
    @Nullable Baseline baseline = PRESENT.get(command);
    return baseline == null
        ? command.transitions()
        : command.transitions().stream()
            .filter(made -> made.number() > baseline.lastTransition())
            .toList();
  }
}
