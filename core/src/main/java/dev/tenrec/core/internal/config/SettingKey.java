// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a full key belongs to.
 *
 * @param scope {@code command}, {@code threadpool}, {@code semaphore}, {@code ratelimiter}, {@code
 *     retrybudget} or {@code collapser}
 * @param key the key of the instance, or {@code default} for all
 * @param property the property's name
 */
public record SettingKey(String scope, String key, String property) {

  private static final List<Scope<?>> SCOPES =
      List.of(
          CommandSettings.SCOPE,
          PoolSettings.SCOPE,
          SemaphoreSettings.SCOPE,
          RateSettings.SCOPE,
          RetryBudgetSettings.SCOPE,
          CollapserSettings.SCOPE);

  /**
   * Takes a full key apart; null if no property has it. Keys may have dots; no property's name ends
   * in another's, so there is one way only to take them apart.
   */
  public static @Nullable SettingKey parse(String prefix, String fullKey) {
    for (Scope<?> scope : SCOPES) {
      String path = prefix + "." + scope.name() + ".";
      if (fullKey.startsWith(path)) {
        for (int dot = fullKey.indexOf('.', path.length() + 1);
            dot >= 0;
            dot = fullKey.indexOf('.', dot + 1)) {
          String property = fullKey.substring(dot + 1);
          if (scope.table().find(property) != null) {
            return new SettingKey(scope.name(), fullKey.substring(path.length(), dot), property);
          }
        }
      }
    }
    return null;
  }
}
