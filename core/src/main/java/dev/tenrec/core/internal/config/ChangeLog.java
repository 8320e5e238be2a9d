// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.SettingChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what a change of settings has changed: one line for each property and pair of values,
 * however many commands it concerns.
 */
final class ChangeLog {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeLog.class);

  /** So many keys are named; a change for all commands may concern thousands. */
  private static final int NAMED = 5;

  private record What(
      String scope, String property, @Nullable String oldValue, @Nullable String newValue) {}

  private ChangeLog() {}

  static void log(List<SettingChange> changes) {
    if (!LOG.isInfoEnabled()) {
      return;
    }
    Map<What, List<String>> keys = new LinkedHashMap<>();
    for (SettingChange change : changes) {
      keys.computeIfAbsent(
              new What(change.scope(), change.property(), change.oldValue(), change.newValue()),
              absent -> new ArrayList<>(1))
          .add(change.key());
    }
    keys.forEach(
        (what, concerned) ->
            LOG.info(
                "{} {}: {} {} -> {}",
                what.scope,
                named(concerned),
                what.property,
                what.oldValue,
                what.newValue));
  }

  private static String named(List<String> keys) {
    return keys.size() <= NAMED
        ? String.join(", ", keys)
        : String.join(", ", keys.subList(0, NAMED)) + " and " + (keys.size() - NAMED) + " more";
  }
}
