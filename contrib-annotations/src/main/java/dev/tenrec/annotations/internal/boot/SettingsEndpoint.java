// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.boot;

import dev.tenrec.core.Tenrec;
import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.SettingLevel;
import dev.tenrec.core.config.SettingOrigin;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** {@code /actuator/tenrecsettings}: the settings in force, and where each comes from. */
@Endpoint(id = "tenrecsettings")
public final class SettingsEndpoint {

  private final Tenrec tenrec;
  private final EnvironmentSettings environment;

  /** Over the application's Tenrec. */
  public SettingsEndpoint(Tenrec tenrec, EnvironmentSettings environment) {
    this.tenrec = tenrec;
    this.environment = environment;
  }

  /**
   * One setting.
   *
   * @param value as text; null if it is unset
   * @param level instance, code, global, default, or kept
   * @param version of the source's settings that gave it; null if the source has none
   * @param author who made that version; null likewise
   */
  public record Setting(
      @Nullable String value, String level, @Nullable Long version, @Nullable String author) {

    /** One of a source without versions. */
    public Setting(@Nullable String value, String level) {
      this(value, level, null, null);
    }

    static Setting of(EffectiveSetting setting) {
      String level = setting.level().name().toLowerCase(Locale.ROOT);
      SettingOrigin origin = setting.origin();
      return origin == null
          ? new Setting(setting.value(), level)
          : new Setting(setting.value(), level, origin.version(), origin.author());
    }
  }

  /**
   * An answer.
   *
   * @param prefix what the keys of properties begin with
   * @param refused how many dynamic values were refused so far
   * @param settings by scope, key of the instance, and name of the property
   */
  public record Settings(
      String prefix, long refused, Map<String, Map<String, Map<String, Setting>>> settings) {}

  /** All settings that do not have their default. */
  @ReadOperation
  public Settings changed() {
    return settings(setting -> setting.level() != SettingLevel.DEFAULT);
  }

  /**
   * All settings of the command, pool, semaphore and collapser of one key; null if there is none.
   */
  @ReadOperation
  public @Nullable Settings of(@Selector String key) {
    Settings found = settings(setting -> setting.key().equals(key));
    return found.settings.isEmpty() ? null : found;
  }

  private Settings settings(Predicate<EffectiveSetting> shown) {
    Map<String, Map<String, Map<String, Setting>>> settings = new TreeMap<>();
    List<EffectiveSetting> all = tenrec.resolvedSettings().effective();
    for (EffectiveSetting setting : all) {
      if (shown.test(setting)) {
        settings
            .computeIfAbsent(setting.scope(), absent -> new TreeMap<>())
            .computeIfAbsent(setting.key(), absent -> new TreeMap<>())
            .put(setting.property(), Setting.of(setting));
      }
    }
    return new Settings(environment.prefix(), tenrec.refusedSettings(), settings);
  }
}
