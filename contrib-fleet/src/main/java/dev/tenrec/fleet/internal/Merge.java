// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.fleet.internal.Held.Kept;
import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.MemberReport.Refused;
import dev.tenrec.fleet.model.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The layers that concern one instance, merged at one moment.
 *
 * @param values by full key in its one {@link Spelling}; of two layers the later one wins
 * @param origins which version gave each of them, where that is known
 * @param refused what no instance takes over
 * @param endMillis when this is no longer what they merge to, by the store's clock, because
 *     something ends; {@link Long#MAX_VALUE} if nothing does
 * @param canary the canary that the instance is in; null if it is in none
 */
public record Merge(
    Map<String, String> values,
    Map<String, SettingOrigin> origins,
    List<Refused> refused,
    long endMillis,
    @Nullable Canary canary) {

  private static final String PLACEHOLDER = "${";

  /** What a value with a placeholder is refused for. */
  public static final String NO_PLACEHOLDERS =
      "must not have ${..}: each instance would make another value of it";

  /** What nothing merges to. */
  public static final Merge NOTHING =
      new Merge(Map.of(), Map.of(), List.of(), Long.MAX_VALUE, null);

  /** The layers that concern an instance, weakest first. */
  public static List<FleetLayer> layers(String instance, @Nullable String zone) {
    List<FleetLayer> layers = new ArrayList<>();
    layers.add(FleetLayer.FLEET);
    if (zone != null) {
      layers.add(FleetLayer.zone(zone));
    }
    layers.add(FleetLayer.CANARY);
    layers.add(FleetLayer.instance(instance));
    return layers;
  }

  /**
   * Merges.
   *
   * @param spelling that of the instance's keys, whatever way they stand in the documents
   * @param leftCanary the canary that the instance has left by itself
   * @param nowMillis by the store's clock
   */
  public static Merge of(
      Held held,
      String instance,
      @Nullable String zone,
      Spelling spelling,
      long leftCanary,
      long nowMillis) {
    Map<String, String> values = new HashMap<>();
    Map<String, SettingOrigin> origins = new HashMap<>();
    Map<String, Refused> refused = new TreeMap<>();
    long end = Long.MAX_VALUE;
    Canary in = null;
    for (FleetLayer layer : layers(instance, zone)) {
      Kept kept = held.of(layer);
      Canary canary = kept.document().canary();
      if (layer.equals(FleetLayer.CANARY)) {
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
      Map<String, Setting> lasting = new HashMap<>(kept.document().settings());
      lasting.values().removeIf(each -> each.endMillis(kept.writtenMillis()) <= nowMillis);
      for (var entry : spelling.respelled(lasting).entrySet()) {
        long settingEnd = entry.getValue().endMillis(kept.writtenMillis());
        end = Math.min(end, settingEnd);
        if (entry.getValue().value().contains(PLACEHOLDER)) {
          refused.put(entry.getKey(), new Refused(entry.getKey(), NO_PLACEHOLDERS));
        } else {
          values.put(entry.getKey(), entry.getValue().value());
          SettingOrigin origin = origin(entry.getValue());
          if (origin == null) {
            origins.remove(entry.getKey());
          } else {
            origins.put(entry.getKey(), origin);
          }
        }
      }
    }
    return new Merge(
        Map.copyOf(values), Map.copyOf(origins), List.copyOf(refused.values()), end, in);
  }

  private static @Nullable SettingOrigin origin(Setting setting) {
    Long version = setting.version();
    return version == null ? null : new SettingOrigin(version, setting.author());
  }

  /** A document, the one that is in its place now, and the keys that this has no longer. */
  private record Replaced(FleetDocument was, FleetDocument is, Set<String> lost) {

    static Replaced of(FleetDocument was, FleetDocument is, Spelling spelling) {
      Set<String> lost = new HashSet<>(spelling.respelled(was.settings()).keySet());
      lost.removeAll(spelling.respelled(is.settings()).keySet());
      return new Replaced(was, is, lost);
    }
  }

  /**
   * What took away each key that {@code before} had and this has not: the version that deleted it,
   * or the one that had set it until its end came. What cannot be known is left out: a layer that
   * was written several times since may have lost it to any of these.
   */
  Map<String, SettingOrigin> gone(Merge before, Held heldBefore, Held heldNow, Spelling spelling) {
    Set<String> lost = new HashSet<>(before.values.keySet());
    lost.removeAll(values.keySet());
    if (lost.isEmpty()) {
      return Map.of();
    }
    List<Replaced> replaced = new ArrayList<>();
    heldBefore
        .documents()
        .forEach(
            (layer, kept) ->
                replaced.add(Replaced.of(kept.document(), heldNow.of(layer).document(), spelling)));
    Map<String, SettingOrigin> gone = new HashMap<>();
    for (String key : lost) {
      List<FleetDocument> deleted = new ArrayList<>();
      boolean isKnown = true;
      for (Replaced each : replaced) {
        if (each.lost().contains(key)) {
          deleted.add(each.is());
          isKnown &= each.is().version() > 0 && each.is().previous() == each.was().version();
        }
      }
      SettingOrigin origin =
          deleted.stream()
              .max(Comparator.comparingLong(FleetDocument::version))
              .map(last -> new SettingOrigin(last.version(), last.author()))
              .orElse(before.origins.get(key));
      if (isKnown && origin != null) {
        gone.put(key, origin);
      }
    }
    return Map.copyOf(gone);
  }
}
