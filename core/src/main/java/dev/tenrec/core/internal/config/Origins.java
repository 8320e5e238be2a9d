// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.SettingOrigin;
import dev.tenrec.core.config.SettingsSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which versions of the source's settings gave the values there are. Used under the configuration's
 * lock only.
 */
final class Origins {

  private static final Logger LOG = LoggerFactory.getLogger(Origins.class);

  private final SettingsSource source;
  private final ReconfigurationLock lock;

  /** Of keys that have a value, as it was when that came. */
  private final Map<String, SettingOrigin> known = new HashMap<>();

  private Map<String, String> values = Map.of();
  private Set<String> changed = Set.of();
  private final Map<String, SettingOrigin> gone = new HashMap<>();

  Origins(SettingsSource source, ReconfigurationLock lock) {
    this.source = source;
    this.lock = lock;
  }

  /** A change begins: these keys have other values now, or none. */
  void look(Set<String> keys, Map<String, String> now) {
    values = now;
    changed = keys;
    gone.clear();
    for (String key : keys) {
      String value = now.get(key);
      SettingOrigin origin = ask(key, value);
      known.remove(key);
      if (origin != null) {
        (value == null ? gone : known).put(key, origin);
      }
    }
  }

  /** Of this key's value; if the change under way has taken it away, of that. */
  @Nullable SettingOrigin of(String key) {
    SettingOrigin origin = known.get(key);
    return origin == null ? gone.get(key) : origin;
  }

  /** As {@link #of}, if the change under way is about this key. */
  @Nullable SettingOrigin ofChange(String key) {
    return changed.contains(key) ? of(key) : null;
  }

  /** As the source has it now: another version may have given the same value again. */
  @Nullable SettingOrigin now(String key) {
    return ask(key, values.get(key));
  }

  private @Nullable SettingOrigin ask(String key, @Nullable String value) {
    try {
      return source.origin(key, value);
    } catch (RuntimeException | Error thrown) {
      lock.afterwards(
          () -> LOG.error("The source of settings does not say where a value is from", thrown));
      return null;
    }
  }
}
