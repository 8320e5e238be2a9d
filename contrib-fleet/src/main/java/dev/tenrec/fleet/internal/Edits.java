// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.Difference;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Setting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Steps of changing documents. */
public final class Edits {

  private Edits() {}

  /**
   * What is held, as it can be written again: keys are in their one spelling, limited settings know
   * when they began, and those that are over are gone.
   */
  public static Map<FleetLayer, FleetDocument> current(
      Held held, Spelling spelling, long nowMillis) {
    Map<FleetLayer, FleetDocument> current = new TreeMap<>();
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
                  new FleetDocument(
                      kept.document().version(),
                      spelling.respelled(settings),
                      canary == null ? null : canary.begun(kept.writtenMillis()),
                      kept.document().author(),
                      kept.document().previous()));
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

  /**
   * Whether nothing was done to a setting that is written again. One that is set anew has no
   * beginning yet, and so is another than one that is held, even if it says the same.
   *
   * @param was as {@link #current} has it
   */
  private static boolean isLeft(Setting was, @Nullable Setting now) {
    return now != null && was.sameAs(now) && Objects.equals(was.startMillis(), now.startMillis());
  }

  /**
   * What differs, in the order of layers and keys.
   *
   * @param before as {@link #current} has it
   */
  public static List<Difference> differences(
      Map<FleetLayer, FleetDocument> before, Map<FleetLayer, FleetDocument> after) {
    List<Difference> differences = new ArrayList<>();
    new TreeMap<>(after)
        .forEach(
            (layer, document) -> {
              Map<String, Setting> was = before.getOrDefault(layer, FleetDocument.EMPTY).settings();
              TreeSet<String> keys = new TreeSet<>(was.keySet());
              keys.addAll(document.settings().keySet());
              for (String key : keys) {
                Setting one = was.get(key);
                Setting other = document.settings().get(key);
                if (one == null ? other != null : !isLeft(one, other)) {
                  differences.add(new Difference(layer.toString(), key, one, other));
                }
              }
            });
    return differences;
  }

  /**
   * What a version writes: what it sets anew bears its number and author.
   *
   * @param before as {@link #current} has it
   */
  static FleetDocument signed(
      FleetDocument before, FleetDocument written, long version, String author) {
    Map<String, Setting> settings = new HashMap<>();
    written
        .settings()
        .forEach(
            (key, setting) -> {
              Setting was = before.settings().get(key);
              settings.put(
                  key,
                  was != null && isLeft(was, setting)
                      ? new Setting(
                          setting.value(),
                          setting.startMillis(),
                          setting.forMillis(),
                          was.version(),
                          was.author())
                      : setting.by(version, author));
            });
    return new FleetDocument(version, settings, written.canary(), author, before.version());
  }

  /**
   * What these layers merge to, the last one winning; what is limited included.
   *
   * @param documents as {@link #current} has them
   */
  static Map<String, String> merged(
      Map<FleetLayer, FleetDocument> documents, List<FleetLayer> layers) {
    Map<String, String> merged = new TreeMap<>();
    for (FleetLayer layer : layers) {
      documents
          .getOrDefault(layer, FleetDocument.EMPTY)
          .settings()
          .forEach((key, setting) -> merged.put(key, setting.value()));
    }
    return merged;
  }
}
