// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.Difference;
import dev.tenrec.fleet.model.Document;
import dev.tenrec.fleet.model.Layer;
import dev.tenrec.fleet.model.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Steps of changing documents. */
public final class Edits {

  private Edits() {}

  /**
   * What is held, as it can be written again: limited settings know when they began, and those that
   * are over are gone.
   */
  public static Map<Layer, Document> current(Held held, long nowMillis) {
    Map<Layer, Document> current = new TreeMap<>();
    held.documents()
        .forEach(
            (layer, kept) -> {
              Map<String, Setting> settings = new HashMap<>();
              kept.document()
                  .settings()
                  .forEach(
                      (key, setting) -> {
                        if (setting.endMillis(kept.writtenMillis()) > nowMillis) {
                          settings.put(key, setting.begun(kept.writtenMillis()));
                        }
                      });
              Canary canary = kept.document().canary();
              current.put(
                  layer,
                  new Document(
                      kept.document().version(),
                      settings,
                      canary == null ? null : canary.begun(kept.writtenMillis())));
            });
    return current;
  }

  /** Whether anything that is held has an end. */
  static boolean hasLimits(Held held) {
    return held.documents().values().stream()
        .map(Held.Kept::document)
        .anyMatch(
            document ->
                document.canary() != null
                    || document.settings().values().stream()
                        .anyMatch(setting -> setting.forMillis() != null));
  }

  /** What differs, in the order of layers and keys. */
  public static List<Difference> differences(
      Map<Layer, Document> before, Map<Layer, Document> after) {
    List<Difference> differences = new ArrayList<>();
    new TreeMap<>(after)
        .forEach(
            (layer, document) -> {
              Map<String, Setting> was = before.getOrDefault(layer, Document.EMPTY).settings();
              TreeSet<String> keys = new TreeSet<>(was.keySet());
              keys.addAll(document.settings().keySet());
              for (String key : keys) {
                Setting one = was.get(key);
                Setting other = document.settings().get(key);
                if (one == null ? other != null : !one.sameAs(other)) {
                  differences.add(new Difference(layer.toString(), key, one, other));
                }
              }
            });
    return differences;
  }

  /** What these layers merge to, the last one winning; what is limited included. */
  public static Map<String, String> merged(Map<Layer, Document> documents, List<Layer> layers) {
    Map<String, String> merged = new TreeMap<>();
    for (Layer layer : layers) {
      documents
          .getOrDefault(layer, Document.EMPTY)
          .settings()
          .forEach((key, setting) -> merged.put(key, setting.value()));
    }
    return merged;
  }
}
