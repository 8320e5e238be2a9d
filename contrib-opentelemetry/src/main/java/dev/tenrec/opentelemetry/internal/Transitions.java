// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.opentelemetry.internal;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.breaker.TransitionReason;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.view.CircuitState;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The transitions of circuits by their reason, counted out of the few last ones that each command
 * keeps. They are numbered, so of those that came and went between two collections the number is
 * known, if not the reason. A command that is removed takes its counts along.
 */
final class Transitions {

  private record Kind(CircuitState to, TransitionReason reason) {}

  private static final class Tally {
    final Map<Kind, Long> counts = new HashMap<>();
    long seen;
    long missed;

    void look(List<Transition> last) {
      for (Transition transition : last) {
        if (transition.number() > seen) {
          missed += transition.number() - seen - 1;
          seen = transition.number();
          counts.merge(new Kind(transition.to(), transition.reason()), 1L, Long::sum);
        }
      }
    }
  }

  private final ObservableLongMeasurement counter;

  /** Of those that have made one. Guarded by this. */
  private IdentityHashMap<CommandDetails, Tally> tallies = new IdentityHashMap<>();

  Transitions(Instruments make) {
    counter =
        make.counter(
            "tenrec.circuit.transitions",
            "{transition}",
            "How often the circuit changed its state; empty attributes: too often to keep the"
                + " reason");
  }

  synchronized void record(List<CommandDetails> commands) {
    IdentityHashMap<CommandDetails, Tally> next = new IdentityHashMap<>();
    for (CommandDetails command : commands) {
      List<Transition> last = command.transitions();
      if (!last.isEmpty()) {
        Tally tally = tallies.getOrDefault(command, new Tally());
        tally.look(last);
        next.put(command, tally);
        record(Names.value(command.key()), tally);
      }
    }
    tallies = next;
  }

  private void record(String key, Tally tally) {
    tally.counts.forEach(
        (kind, count) ->
            counter.record(count, attributes(key, lower(kind.to), lower(kind.reason))));
    if (tally.missed > 0) {
      counter.record(tally.missed, attributes(key, "", ""));
    }
  }

  private static Attributes attributes(String key, String to, String reason) {
    return Attributes.of(Names.COMMAND, key, Names.TO, to, Names.REASON, reason);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
