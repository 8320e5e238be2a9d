// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.ResolvedSettings;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.fleet.model.MemberReport.Masked;
import dev.tenrec.fleet.model.MemberReport.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a Tenrec has made of merged settings.
 *
 * @param effectiveHash of every setting in force
 * @param refused what it did not take over
 * @param masked what something of the instance's own beats
 * @param commands the keys of its commands
 * @param refusing the keys of those whose circuits refuse calls
 */
record Applied(
    String effectiveHash,
    List<Refused> refused,
    List<Masked> masked,
    List<String> commands,
    List<String> refusing) {

  /** A report is read by a person, and has to fit into a store. */
  private static final int MOST = 100;

  /**
   * What this one has made of it.
   *
   * @param hash has hashed what was in force the last time
   */
  static Applied of(Tenrec tenrec, String prefix, Map<String, String> merged, EffectiveHash hash) {
    ResolvedSettings resolved = tenrec.resolvedSettings();
    List<Refused> refused =
        resolved.refusals().stream()
            .filter(refusal -> merged.containsKey(refusal.key()))
            .map(refusal -> new Refused(refusal.key(), refusal.rule()))
            .limit(MOST)
            .toList();
    return new Applied(
        hash.of(resolved.effective()),
        refused,
        masked(resolved, prefix, merged).stream().limit(MOST).toList(),
        resolved.effective().stream()
            .filter(setting -> setting.scope().equals("command"))
            .map(EffectiveSetting::key)
            .distinct()
            .sorted()
            .limit(MOST)
            .toList(),
        tenrec.commands().stream()
            .filter(Applied::refuses)
            .map(CommandDetails::key)
            .sorted()
            .limit(MOST)
            .toList());
  }

  private static boolean refuses(CommandDetails command) {
    return switch (command.circuitState()) {
      case OPEN, HALF_OPEN, FORCED_OPEN -> true;
      case CLOSED, FORCED_CLOSED, DISABLED -> false;
    };
  }

  private static List<Masked> masked(
      ResolvedSettings resolved, String prefix, Map<String, String> merged) {
    List<Masked> masked = new ArrayList<>();
    for (var entry : new TreeMap<>(merged).entrySet()) {
      if (!entry.getValue().equals(resolved.properties().get(entry.getKey()))) {
        masked.add(new Masked(entry.getKey(), "what was set in the instance's memory"));
      }
    }
    for (EffectiveSetting setting : resolved.effective()) {
      String by = strongerThanAll(setting, prefix);
      if (by != null) {
        String start = prefix + "." + setting.scope() + ".";
        String global = start + "default." + setting.property();
        String own = start + setting.key() + "." + setting.property();
        if (merged.containsKey(global) && !merged.containsKey(own)) {
          masked.add(new Masked(global, by));
        }
      }
    }
    return masked;
  }

  /** Asked first: most settings in force are defaults, or what was given for all. */
  private static @Nullable String strongerThanAll(EffectiveSetting setting, String prefix) {
    return switch (setting.level()) {
      case CODE -> "what code gave for the " + setting.scope() + " " + setting.key();
      case INSTANCE ->
          "the instance's own "
              + prefix
              + "."
              + setting.scope()
              + "."
              + setting.key()
              + "."
              + setting.property();
      default -> null;
    };
  }
}
