// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.SettingChange;
import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.internal.text.LogText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
      String scope,
      String property,
      @Nullable String oldValue,
      @Nullable String newValue,
      @Nullable SettingOrigin origin) {}

  private ChangeLog() {}

  static void log(List<SettingChange> changes) {
    if (LOG.isInfoEnabled()) {
      lines(changes).forEach(LOG::info);
    }
  }

  /** One for each change, with the keys that it concerns. */
  static List<String> lines(List<SettingChange> changes) {
    Map<What, List<String>> keys = new LinkedHashMap<>();
    for (SettingChange change : changes) {
      keys.computeIfAbsent(
              new What(
                  change.scope(),
                  change.property(),
                  change.oldValue(),
                  change.newValue(),
                  change.origin()),
              absent -> new ArrayList<>(1))
          .add(change.key());
    }
    List<String> lines = new ArrayList<>(keys.size());
    keys.forEach((what, concerned) -> lines.add(line(what, concerned)));
    return lines;
  }

  private static String line(What what, List<String> keys) {
    return what.scope
        + " "
        + named(keys)
        + ": "
        + what.property
        + " "
        + LogText.of(what.oldValue)
        + " -> "
        + LogText.of(what.newValue)
        + (what.origin == null ? "" : " (" + LogText.of(what.origin.toString()) + ")");
  }

  private static String named(List<String> keys) {
    String first = keys.stream().limit(NAMED).map(LogText::of).collect(Collectors.joining(", "));
    return keys.size() <= NAMED ? first : first + " and " + (keys.size() - NAMED) + " more";
  }
}
