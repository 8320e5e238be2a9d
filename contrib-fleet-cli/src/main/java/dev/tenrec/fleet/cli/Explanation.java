// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import dev.tenrec.fleet.FleetState;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.MemberReport;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one layer sets for one key, and what beats it.
 *
 * @param layer the layer
 * @param property the full key
 * @param value what it sets
 * @param version the version that set it; null if that is not known
 * @param author of that version; null likewise
 * @param beatenBy layers, and instances' own settings, that win over it where they count
 */
record Explanation(
    String layer,
    String property,
    String value,
    @Nullable Long version,
    @Nullable String author,
    List<String> beatenBy) {

  static List<Explanation> of(FleetState state, List<MemberReport> members, String key) {
    List<Explanation> lines = new ArrayList<>();
    state
        .documents()
        .forEach(
            (layer, document) ->
                new TreeMap<>(document.settings())
                    .forEach(
                        (full, setting) -> {
                          if (concerns(full, key)) {
                            lines.add(
                                new Explanation(
                                    layer.toString(),
                                    full,
                                    Printer.words(setting),
                                    setting.version(),
                                    setting.author(),
                                    stronger(state, members, layer, full)));
                          }
                        }));
    return lines;
  }

  private static boolean concerns(String full, String key) {
    return full.contains("." + key + ".") || full.contains(".default.");
  }

  private static List<String> stronger(
      FleetState state, List<MemberReport> members, FleetLayer layer, String full) {
    List<String> stronger = new ArrayList<>();
    state
        .documents()
        .forEach(
            (other, document) -> {
              if (other.kind().compareTo(layer.kind()) > 0
                  && document.settings().containsKey(full)) {
                stronger.add(other + " = " + Printer.words(document.settings().get(full)));
              }
            });
    for (MemberReport member : members) {
      member.masked().stream()
          .filter(masked -> masked.key().equals(full))
          .forEach(masked -> stronger.add("on " + member.id() + " " + masked.by()));
    }
    return stronger;
  }

  String words() {
    return property
        + " = "
        + value
        + " from "
        + layer
        + (version == null ? "" : ", version " + version + " by " + author)
        + (beatenBy.isEmpty() ? "" : "; beaten by " + String.join(", ", beatenBy));
  }
}
