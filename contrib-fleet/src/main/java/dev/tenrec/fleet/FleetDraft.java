// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet;

import dev.tenrec.fleet.internal.Edit;
import dev.tenrec.fleet.internal.Misfit;
import dev.tenrec.fleet.internal.Spelling;
import dev.tenrec.fleet.model.Canary;
import dev.tenrec.fleet.model.CanaryGuard;
import dev.tenrec.fleet.model.Change;
import dev.tenrec.fleet.model.FleetDocument;
import dev.tenrec.fleet.model.FleetLayer;
import dev.tenrec.fleet.model.Manifest;
import dev.tenrec.fleet.model.Setting;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A change of a fleet's settings that has not been written. All of it is one change, with one
 * version. A key may be given in any way that instances know; it is written in the one that stands
 * in the tables of properties. Not thread-safe.
 */
public final class FleetDraft {

  private final FleetOperator operator;
  private final String reason;
  private final Spelling spelling;
  private final Map<FleetLayer, Map<String, @Nullable Setting>> edits = new LinkedHashMap<>();
  private final Set<String> members = new HashSet<>();
  private int sharePercent;
  private @Nullable Duration canaryLasts;
  private @Nullable CanaryGuard guard;
  private @Nullable Long expected;
  private @Nullable String id;
  private boolean unchecked;
  private boolean anew;

  FleetDraft(FleetOperator operator, String reason) {
    this.operator = operator;
    this.reason = reason;
    this.spelling = new Spelling(operator.prefix());
  }

  /** Sets a key of a layer. */
  public FleetDraft set(FleetLayer layer, String key, String value) {
    return put(layer, key, Setting.of(value));
  }

  /**
   * Sets a key of a layer for a while. Instances end it by themselves, also while the store is
   * away: what is below shows again.
   *
   * @param time from when it is written; at least a second
   */
  public FleetDraft setFor(FleetLayer layer, String key, String value, Duration time) {
    if (time.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "what is set for a while must count for 1 s or more, was " + time);
    }
    return put(layer, key, new Setting(value, null, millis(time)));
  }

  /** As many as there can be of a time that is longer. */
  private static long millis(Duration time) {
    return TimeUnit.MILLISECONDS.convert(time);
  }

  /** Takes a key out of a layer: what is below shows again. */
  public FleetDraft clear(FleetLayer layer, String key) {
    return put(layer, key, null);
  }

  private FleetDraft put(FleetLayer layer, String key, @Nullable Setting setting) {
    edits
        .computeIfAbsent(Objects.requireNonNull(layer, "layer"), absent -> new LinkedHashMap<>())
        .put(spelling.of(Objects.requireNonNull(key, "key")), setting);
    return this;
  }

  /**
   * Makes the canary's layer count, for these instances, until its end. There may be one canary at
   * a time.
   *
   * @param ids instances by their id; may be empty if there is a share
   * @param percent share of all instances that join in addition, in per cent, 0 to 100
   * @param lasts how long it lasts, more than 0; then its members leave it
   */
  public FleetDraft canary(Collection<String> ids, int percent, Duration lasts) {
    members.addAll(ids);
    sharePercent = percent;
    canaryLasts = lasts;
    return this;
  }

  /** What makes a member of the canary leave it by itself. Default: nothing. */
  public FleetDraft guard(CanaryGuard limits) {
    guard = limits;
    return this;
  }

  /** Refuses the change if there is another version than this. Default: any may be there. */
  public FleetDraft expecting(long version) {
    expected = version;
    return this;
  }

  /**
   * Names the change, so that writing it again does nothing if it was written: for an author that
   * had no answer. Default: a name of its own.
   */
  public FleetDraft id(String name) {
    id = Objects.requireNonNull(name, "name");
    return this;
  }

  /**
   * Skips this version's check of the settings. Default: a change that breaks a rule is refused.
   */
  public FleetDraft unchecked() {
    unchecked = true;
    return this;
  }

  /**
   * Writes a layer anew whose document is missing, older or damaged, with what is set here and
   * nothing else: what it had is lost, and the history says so. Other layers are changed as ever.
   * Default: a change of such a layer is refused.
   */
  public FleetDraft anew() {
    anew = true;
    return this;
  }

  /** What it would do; nothing is written. */
  public DryRun dryRun() {
    return operator.dryRun(edit(), !unchecked, anew);
  }

  /**
   * Checks it, and writes it. Where another change comes first, and no version was expected, the
   * calling thread waits for a random time and does both again: 20 attempts at most, with waits of
   * some 1.5 s together.
   *
   * @throws FleetRefusedException if it is not written
   * @throws dev.tenrec.fleet.store.StoreException if the store cannot be reached, or refuses it
   */
  public Change write() {
    String name = id;
    return operator.write(
        canaryLasts == null ? "set" : "canary",
        reason,
        name == null ? UUID.randomUUID().toString() : name,
        name != null,
        expected,
        !unchecked,
        anew ? edit() : FleetOperator.losingNothing(edit()));
  }

  private Edit edit() {
    return (now, manifest, version) -> {
      Map<FleetLayer, FleetDocument> changed = new HashMap<>();
      edits.forEach(
          (layer, keys) -> changed.put(layer, edited(now, manifest, layer, keys, version)));
      if (canaryLasts != null && !edits.containsKey(FleetLayer.CANARY)) {
        throw new FleetRefusedException(
            FleetRefusedException.Reason.INVALID, "a canary needs a setting of the layer canary");
      }
      return new Edit.Outcome(changed, manifest.frozen());
    };
  }

  private FleetDocument edited(
      Map<FleetLayer, FleetDocument> now,
      Manifest manifest,
      FleetLayer layer,
      Map<String, @Nullable Setting> keys,
      long version) {
    FleetDocument before = now.getOrDefault(layer, FleetDocument.EMPTY);
    Map<String, Setting> settings = new HashMap<>(before.settings());
    keys.forEach(
        (key, setting) -> {
          if (setting != null) {
            settings.put(key, setting);
          } else {
            settings.remove(key);
          }
        });
    if (!layer.equals(FleetLayer.CANARY)) {
      return new FleetDocument(version, settings, null);
    }
    if (canaryLasts == null && Misfit.isOf(layer, now.keySet(), manifest)) {
      throw new FleetRefusedException(
          FleetRefusedException.Reason.INVALID, Misfit.leftOut(layer, manifest) + ": roll it back");
    }
    return new FleetDocument(version, settings, canary(before, version));
  }

  private @Nullable Canary canary(FleetDocument before, long version) {
    Duration lasts = canaryLasts;
    if (lasts == null) {
      if (before.canary() == null) {
        throw new FleetRefusedException(
            FleetRefusedException.Reason.INVALID,
            "there is no canary: the layer canary needs members, and an end");
      }
      return before.canary();
    }
    if (before.canary() != null) {
      throw new FleetRefusedException(
          FleetRefusedException.Reason.INVALID,
          "there is a canary already, " + before.canary().id() + ": promote it or roll it back");
    }
    return new Canary(version, members, sharePercent, null, millis(lasts), guard);
  }
}
