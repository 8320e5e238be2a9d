// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.Property;
import dev.tenrec.core.config.Refusal;
import dev.tenrec.core.config.SettingLevel;
import dev.tenrec.core.config.SettingOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one scope: the dynamic values as they were last understood, and the live settings
 * that are made of them. Only entries that changed are parsed, and only those they concern are
 * resolved anew. Used under the configuration's lock only, but for {@link #remove}.
 */
final class ScopeSettings<S> {

  private final Scope<S> scope;

  /** What full keys of this scope begin with, {@code tenrec.command.}. */
  private final String path;

  private final ReconfigurationLock lock;
  private final Refusals refusals;
  private final Origins origins;
  private final DynamicValues dynamic;
  private final Levels levels;
  private final Values defaults;
  private final Map<String, List<LiveSettings<S>>> lives = new HashMap<>();
  private final Set<String> touched = new HashSet<>();

  /** What those that came last got. */
  private final Interner<Values> values = new Interner<>();

  private final Interner<S> snapshots = new Interner<>();

  ScopeSettings(
      Scope<S> scope, String prefix, ReconfigurationLock lock, Refusals refusals, Origins origins) {
    this.scope = scope;
    this.path = prefix + "." + scope.name() + ".";
    this.lock = lock;
    this.refusals = refusals;
    this.origins = origins;
    this.dynamic = new DynamicValues(scope.table().size());
    this.levels = new Levels(scope, dynamic);
    this.defaults = levels.fixed(new CodeSettings.Builder(scope.table()).build());
  }

  Scope<S> scope() {
    return scope;
  }

  /** Whether a full key is one of this scope. */
  boolean owns(String fullKey) {
    return fullKey.startsWith(path);
  }

  /** Takes over one changed entry; null if it is gone. A bad one leaves what was there. */
  void change(String fullKey, @Nullable String text) {
    Place place = place(fullKey);
    if (place != null) {
      change(fullKey, place.key(), place.property(), text);
      return;
    }
    if (text != null) {
      refusals.refuseUnknown(
          new Refusal(fullKey, text, scope.table().unknown(fullKey), origins.of(fullKey)));
    }
  }

  /** What a full key of this scope stands for: a property, of one instance or of all. */
  private record Place(String key, Property<?> property) {}

  private @Nullable Place place(String fullKey) {
    for (int dot = fullKey.indexOf('.', path.length() + 1);
        dot >= 0;
        dot = fullKey.indexOf('.', dot + 1)) {
      // keys may have dots; no property's name ends in another's, so there is one way only to take
      // them apart
      Property<?> property = scope.table().find(fullKey.substring(dot + 1));
      if (property != null) {
        return new Place(fullKey.substring(path.length(), dot), property);
      }
    }
    return null;
  }

  private void change(String fullKey, String key, Property<?> property, @Nullable String text) {
    if (text == null) {
      dynamic.clear(key, property);
      touched.add(key);
    } else if (property.onlyPerInstance() && key.equals(Property.GLOBAL)) {
      refusals.refuse(
          new Refusal(
              fullKey,
              text,
              "can be set for one " + scope.name() + " only, not for all",
              origins.of(fullKey)));
    } else {
      try {
        dynamic.set(key, property, property.read(fullKey, text));
        touched.add(key);
      } catch (InvalidSettingException bad) {
        refusals.refuse(new Refusal(fullKey, text, bad.rule(), origins.of(fullKey)));
      }
    }
  }

  LiveSettings<S> register(String key, CodeSettings code, SettingsOwner<S> owner) {
    Objects.requireNonNull(owner, "owner");
    // level by level, so that what breaks a rule falls to the next one
    Values fixed = check(key, code);
    Values global =
        levels.settle(
            levels.global(code),
            fixed,
            (property, candidate, rule) ->
                refusals.refuseForInstance(refusal(null, key, code, property, candidate, rule)));
    Values settled = settle(key, code, global);
    LiveSettings<S> live = new LiveSettings<>(this, key, code, owner, settled, snapshot(settled));
    lives.computeIfAbsent(key, absent -> new ArrayList<>(1)).add(live);
    return live;
  }

  /**
   * What code and the built-in defaults alone give to this key.
   *
   * @throws IllegalArgumentException if the key cannot be one, or code breaks a rule
   */
  Values check(String key, CodeSettings code) {
    checkKey(key);
    if (code.table() != scope.table()) {
      throw new IllegalArgumentException(
          path + key + " was given the settings of a " + code.table().scope());
    }
    return levels.settle(
        levels.fixed(code),
        defaults,
        (property, candidate, rule) -> {
          throw new InvalidSettingException(
              path + key + "." + property.name(),
              text(property, candidate),
              rule + " (set in code)");
        });
  }

  /**
   * Resolves all that was touched since the last time, and has the owners prepare for it; returns
   * those for which that made a difference.
   */
  List<SettingsUpdate<S>> resolve() {
    List<LiveSettings<S>> affected = affected();
    touched.clear();
    List<SettingsUpdate<S>> transitions = new ArrayList<>();
    for (LiveSettings<S> live : affected) {
      SettingsUpdate<S> transition = resolve(live);
      if (transition != null) {
        transitions.add(transition);
      }
    }
    return transitions;
  }

  /** What is gone by, and why. By any thread. */
  List<EffectiveSetting> effective(LiveSettings<S> live) {
    return lock.take(
        () ->
            scope.table().properties().stream()
                .map(property -> effective(live, property))
                .toList());
  }

  private EffectiveSetting effective(LiveSettings<S> live, Property<?> property) {
    Refusal own = refusals.standing(full(live.key(), property));
    Refusal global = refusals.standing(full(Property.GLOBAL, property));
    SettingLevel level =
        levels.levelOf(live.key(), live.code(), property, live.values().find(property));
    return new EffectiveSetting(
        scope.name(),
        live.key(),
        property.name(),
        property.write(live.values().find(property)),
        level,
        own != null ? own : global,
        switch (level) {
          case INSTANCE -> origins.now(full(live.key(), property));
          case GLOBAL -> origins.now(full(Property.GLOBAL, property));
          default -> null;
        });
  }

  private String full(String key, Property<?> property) {
    return path + key + "." + property.name();
  }

  /** Where the value that this property has come to comes from, in the change under way. */
  @Nullable SettingOrigin originOfChange(LiveSettings<S> live, Property<?> property) {
    String own = full(live.key(), property);
    String global = full(Property.GLOBAL, property);
    Object value = live.values().find(property);
    return switch (levels.levelOf(live.key(), live.code(), property, value)) {
      case INSTANCE -> origins.of(own);
      case GLOBAL -> origins.of(global);
      default -> { // what beat it has gone
        SettingOrigin ofOwn = origins.ofChange(own);
        yield ofOwn == null ? origins.ofChange(global) : ofOwn;
      }
    };
  }

  private @Nullable SettingsUpdate<S> resolve(LiveSettings<S> live) {
    Values before = live.values();
    Values after = settle(live.key(), live.code(), before);
    if (after.equals(before) || live.isClosed()) { // a refusal listener may have closed it
      return null;
    }
    try {
      return prepare(live, after);
    } catch (RuntimeException | Error thrown) {
      return preparePartly(live, after);
    }
  }

  private SettingsUpdate<S> prepare(LiveSettings<S> live, Values after) {
    S old = live.current();
    S changed = snapshot(after);
    PreparedChange prepared =
        changed.equals(old) ? PreparedChange.NONE : live.owner().prepare(changed);
    return new SettingsUpdate<>(this, live, live.values(), after, old, changed, prepared);
  }

  /**
   * The owner cannot take over all of it: part by part, what it can. A value it cannot take over
   * must not hold up others, which would otherwise go on as long as it stays.
   */
  private @Nullable SettingsUpdate<S> preparePartly(LiveSettings<S> live, Values after) {
    SettingsUpdate<S> accepted = null;
    Values reached = live.values();
    for (List<Property<?>> part : scope.parts(reached, after)) {
      Values more = reached.with(part, after);
      try {
        SettingsUpdate<S> next = prepare(live, more);
        if (accepted != null) {
          accepted.discard();
        }
        accepted = next;
        reached = more;
      } catch (RuntimeException | Error thrown) {
        refuse(live, part, after, thrown);
      }
    }
    return accepted;
  }

  /** The owner of these settings could not take over these properties. */
  void refuse(
      LiveSettings<S> live, List<Property<?>> properties, Values candidate, Throwable thrown) {
    String rule = "cannot be taken over: " + thrown;
    for (Property<?> property : properties) {
      refusals.refuseForInstance(
          refusal(live.key(), live.key(), live.code(), property, candidate, rule), thrown);
    }
  }

  /** Every setting that is in force, with the level it comes from. */
  List<EffectiveSetting> effective() {
    List<EffectiveSetting> effective = new ArrayList<>();
    new TreeMap<>(lives)
        .forEach(
            (key, same) -> {
              LiveSettings<S> live = same.get(0); // of one key, all have the same values
              for (Property<?> property : scope.table().properties()) {
                effective.add(effective(live, property));
              }
            });
    return effective;
  }

  /**
   * Whether a refusal that was reported still holds. A value that only broke a rule together with
   * others, or that its owner could not take over, may count by now, because the others changed.
   */
  boolean stands(Refusal refusal) {
    Place place = place(refusal.key());
    if (place == null) {
      return true;
    }
    Property<?> property = place.property();
    Object value = dynamicValue(place.key(), property);
    boolean letIn = value != null && refusal.value().equals(property.write(value));
    return letIn
        ? lives.values().stream()
            .flatMap(List::stream)
            .filter(live -> isFrom(live, place))
            .anyMatch(live -> !Objects.equals(value, live.values().find(property)))
        : lives.getOrDefault(place.key(), List.of()).stream()
            .noneMatch(
                live -> refusal.value().equals(property.write(live.values().find(property))));
  }

  private boolean isFrom(LiveSettings<S> live, Place place) {
    return place.key().equals(live.key())
        || (place.key().equals(Property.GLOBAL)
            && !has(live.key(), place.property())
            && live.code().get(place.property()) == null);
  }

  /** Takes {@code live} out. May be called by any thread. */
  void remove(LiveSettings<S> live) {
    lock.take(() -> live.markClosed() && removeFirst(live));
  }

  private boolean removeFirst(LiveSettings<S> live) {
    List<LiveSettings<S>> same = lives.get(live.key());
    if (same == null || !same.remove(live)) {
      return false;
    }
    if (same.isEmpty()) {
      lives.remove(live.key());
      if (!refusals.isEmpty()) {
        scope
            .table()
            .properties()
            .forEach(property -> refusals.forgetInstance(full(live.key(), property)));
      }
    }
    return true;
  }

  /** A copy: a listener may add and remove while we go through it. */
  private List<LiveSettings<S>> affected() {
    List<LiveSettings<S>> affected = new ArrayList<>();
    if (touched.contains(Property.GLOBAL)) {
      lives.values().forEach(affected::addAll);
    } else {
      touched.forEach(key -> affected.addAll(lives.getOrDefault(key, List.of())));
    }
    return affected;
  }

  private Values settle(String key, CodeSettings code, Values lastGood) {
    Values settled =
        levels.settle(
            levels.instance(key, code),
            lastGood,
            (property, candidate, rule) ->
                refusals.refuseForInstance(refusal(key, key, code, property, candidate, rule)));
    return values.shared(settled);
  }

  private S snapshot(Values values) {
    return snapshots.shared(scope.snapshot().apply(values));
  }

  /**
   * Names the entry that supplied the value: the instance's own if its level was asked, code's, the
   * global one, or none at all.
   */
  private Refusal refusal(
      @Nullable String ownKey,
      String key,
      CodeSettings code,
      Property<?> property,
      Values candidate,
      String rule) {
    String owner = key;
    String remark = "";
    boolean isDynamic = true;
    if (ownKey != null && has(ownKey, property)) {
      owner = ownKey;
    } else if (code.get(property) != null) {
      remark = " (set in code)";
      isDynamic = false;
    } else if (has(Property.GLOBAL, property)) {
      owner = Property.GLOBAL;
    } else {
      remark = " (by default)";
      isDynamic = false;
    }
    String fullKey = full(owner, property);
    return new Refusal(
        fullKey, text(property, candidate), rule + remark, isDynamic ? origins.of(fullKey) : null);
  }

  private boolean has(String key, Property<?> property) {
    return dynamicValue(key, property) != null;
  }

  private @Nullable Object dynamicValue(String key, Property<?> property) {
    @Nullable Object[] row = dynamic.row(key);
    return row == null ? null : row[property.index()];
  }

  private static String text(Property<?> property, Values values) {
    return String.valueOf(property.write(values.find(property)));
  }

  private void checkKey(String key) {
    if (key.isBlank() || key.equals(Property.GLOBAL)) {
      throw new IllegalArgumentException(
          "The key of a "
              + scope.name()
              + " must not be blank, nor '"
              + Property.GLOBAL
              + "', but is '"
              + key
              + "'");
    }
  }
}
