// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link Adviser} says of one command. It changes nothing by itself.
 *
 * @param key of the command
 * @param proposals the settings that should be others; empty if all fit, or nothing can be said
 * @param present what the settings in force cost, as it was counted; null if there was no call
 * @param proposed what the proposed ones would cost, by a replay; null if none is proposed, or
 *     there is too little data
 * @param withheld what cannot be said, and why: one sentence each
 * @param warnings what looks wrong and has no figure to be set to: one sentence each
 */
public record Advice(
    String key,
    List<Proposal> proposals,
    @Nullable Risk present,
    @Nullable Risk proposed,
    List<String> withheld,
    List<String> warnings) {

  /** Copies the lists. */
  public Advice {
    proposals = List.copyOf(proposals);
    withheld = List.copyOf(withheld);
    warnings = List.copyOf(warnings);
  }

  static Advice withheld(String key, String what) {
    return new Advice(key, List.of(), null, null, List.of(what), List.of());
  }

  /**
   * The proposals as properties, for {@code Tenrec.set}, a watched file, or a fleet's dry run: to
   * be set in one change, because rules stand between them.
   *
   * @param prefix what the Tenrec's properties begin with, usually {@code tenrec}
   */
  public Map<String, String> properties(String prefix) {
    Map<String, String> properties = new LinkedHashMap<>();
    proposals.forEach(each -> properties.put(each.name(prefix), each.proposed()));
    return properties;
  }

  /** All of it in words, a line each. */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    if (proposals.isEmpty()) {
      lines.add(key + ": nothing to change" + (withheld.isEmpty() ? "" : " can be proposed"));
    } else {
      lines.add(key + ":");
    }
    proposals.forEach(each -> lines.add("  set " + each));
    if (present != null) {
      lines.add("  as it is: " + present);
    }
    if (proposed != null) {
      lines.add("  as proposed: " + proposed);
    }
    withheld.forEach(each -> lines.add("  not said: " + each));
    warnings.forEach(each -> lines.add("  look at: " + each));
    return String.join("\n", lines);
  }
}
