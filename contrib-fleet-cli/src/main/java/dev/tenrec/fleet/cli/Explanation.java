// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import dev.tenrec.fleet.FleetState;
import dev.tenrec.fleet.model.Layer;
import dev.tenrec.fleet.model.MemberReport;
import java.util.ArrayList;
import java.util.List;

/**
 * What one layer sets for one key, and what beats it.
 *
 * @param layer the layer
 * @param property the full key
 * @param value what it sets
 * @param beatenBy layers, and instances' own settings, that win over it where they count
 */
record Explanation(String layer, String property, String value, List<String> beatenBy) {

  static List<Explanation> of(FleetState state, List<MemberReport> members, String key) {
    List<Explanation> lines = new ArrayList<>();
    state
        .documents()
        .forEach(
            (layer, document) ->
                document.settings().keySet().stream()
                    .filter(full -> concerns(full, key))
                    .sorted()
                    .forEach(
                        full ->
                            lines.add(
                                new Explanation(
                                    layer.toString(),
                                    full,
                                    Printer.words(document.settings().get(full)),
                                    stronger(state, members, layer, full)))));
    return lines;
  }

  private static boolean concerns(String full, String key) {
    return full.contains("." + key + ".") || full.contains(".default.");
  }

  private static List<String> stronger(
      FleetState state, List<MemberReport> members, Layer layer, String full) {
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
        + (beatenBy.isEmpty() ? "" : "; beaten by " + String.join(", ", beatenBy));
  }
}
