// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.config.SourceStatus;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.view.CircuitState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What health says of the circuits, without a type of Boot's, which are not the same in each line.
 *
 * @param status {@code UP}, or {@link #CIRCUIT_OPEN}
 * @param details the first circuits that are not closed, and how many there are; how the settings'
 *     source stands to its store, if it has one
 */
public record CircuitReport(String status, Map<String, Object> details) {

  /**
   * A status of its own: health's total leaves out what its order does not name, so that an open
   * circuit, which protects the application, does not take it out of service.
   */
  public static final String CIRCUIT_OPEN = "CIRCUIT_OPEN";

  private static final int SHOWN = 50;

  private static final String FORCED = "forced by circuitBreaker.forceOpen=true";

  /** As they are now. */
  public static CircuitReport of(Tenrec tenrec) {
    List<CommandDetails> refusing =
        tenrec.commands().stream().filter(CircuitReport::refuses).toList();
    Map<String, Object> circuits = new LinkedHashMap<>();
    refusing.stream().limit(SHOWN).forEach(each -> circuits.put(each.key(), circuit(each)));
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("refusing", refusing.size());
    details.put("circuits", circuits);
    tenrec.sourceStatus().ifPresent(status -> details.put("settings", settings(status)));
    return new CircuitReport(refusing.isEmpty() ? "UP" : CIRCUIT_OPEN, details);
  }

  /** An instance that is cut off goes by what it has: it says so, and is no less well for it. */
  private static Map<String, Object> settings(SourceStatus status) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("connected", status.connected());
    shown.put("version", status.version());
    putIfThere(shown, "instance", status.instance());
    putIfThere(shown, "zone", status.zone());
    putIfThere(shown, "author", status.author());
    putIfThere(shown, "reason", status.reason());
    shown.put("fromLastGood", status.fromLastGood());
    putIfThere(shown, "canary", status.canary());
    shown.put("alarms", status.alarms());
    return shown;
  }

  private static void putIfThere(Map<String, Object> shown, String name, @Nullable String value) {
    if (value != null) {
      shown.put(name, value);
    }
  }

  private static boolean refuses(CommandDetails command) {
    CircuitState state = command.circuitState();
    return state == CircuitState.OPEN
        || state == CircuitState.HALF_OPEN
        || state == CircuitState.FORCED_OPEN;
  }

  private static Map<String, Object> circuit(CommandDetails command) {
    Map<String, Object> shown = new LinkedHashMap<>();
    CircuitState state = command.circuitState();
    shown.put("state", state);
    if (state == CircuitState.FORCED_OPEN) { // whatever its transitions were
      shown.put("reason", FORCED);
      return shown;
    }
    List<Transition> transitions = command.transitions();
    if (!transitions.isEmpty()) {
      Transition last = transitions.get(transitions.size() - 1);
      shown.put("since", last.at().toString());
      shown.put("reason", last.explanation());
    }
    Instant trial = command.nextTrialAt();
    if (trial != null) {
      shown.put("nextTrialAt", trial.toString());
    }
    return shown;
  }
}
