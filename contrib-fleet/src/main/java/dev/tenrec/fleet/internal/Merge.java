// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.fleet.internal.Held.Kept;
import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.Layer;
import dev.tenrec.fleet.model.MemberReport.Refused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The layers that concern one instance, merged at one moment.
 *
 * @param values by full key; of two layers the later one wins
 * @param refused what no instance takes over
 * @param endMillis when this is no longer what they merge to, by the store's clock, because
 *     something ends; {@link Long#MAX_VALUE} if nothing does
 * @param canary the canary that the instance is in; null if it is in none
 */
public record Merge(
    Map<String, String> values, List<Refused> refused, long endMillis, @Nullable Canary canary) {

  private static final String PLACEHOLDER = "${";

  /** What a value with a placeholder is refused for. */
  public static final String NO_PLACEHOLDERS =
      "must not have ${..}: each instance would make another value of it";

  /** What nothing merges to. */
  public static final Merge NOTHING = new Merge(Map.of(), List.of(), Long.MAX_VALUE, null);

  /** The layers that concern an instance, weakest first. */
  public static List<Layer> layers(String instance, @Nullable String zone) {
    List<Layer> layers = new ArrayList<>();
    layers.add(Layer.FLEET);
    if (zone != null) {
      layers.add(Layer.zone(zone));
    }
    layers.add(Layer.CANARY);
    layers.add(Layer.instance(instance));
    return layers;
  }

  /**
   * Merges.
   *
   * @param leftCanary the canary that the instance has left by itself
   * @param nowMillis by the store's clock
   */
  public static Merge of(
      Held held, String instance, @Nullable String zone, long leftCanary, long nowMillis) {
    Map<String, String> values = new HashMap<>();
    Map<String, Refused> refused = new TreeMap<>();
    long end = Long.MAX_VALUE;
    Canary in = null;
    for (Layer layer : layers(instance, zone)) {
      Kept kept = held.of(layer);
      Canary canary = kept.document().canary();
      if (layer.equals(Layer.CANARY)) {
        if (canary == null || !canary.has(instance) || canary.id() == leftCanary) {
          continue;
        }
        long canaryEnd = canary.endMillis(kept.writtenMillis());
        if (canaryEnd <= nowMillis) {
          continue;
        }
        end = Math.min(end, canaryEnd);
        in = canary;
      }
      for (var entry : kept.document().settings().entrySet()) {
        long settingEnd = entry.getValue().endMillis(kept.writtenMillis());
        if (settingEnd <= nowMillis) {
          continue;
        }
        end = Math.min(end, settingEnd);
        if (entry.getValue().value().contains(PLACEHOLDER)) {
          refused.put(entry.getKey(), new Refused(entry.getKey(), NO_PLACEHOLDERS));
        } else {
          values.put(entry.getKey(), entry.getValue().value());
        }
      }
    }
    return new Merge(Map.copyOf(values), List.copyOf(refused.values()), end, in);
  }
}
