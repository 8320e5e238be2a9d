// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import org.jspecify.annotations.Nullable;

/**
 * One property of one command, pool, semaphore, rate limiter, shared budget or collapser has
 * another value now.
 *
 * @param scope {@code command}, {@code threadpool}, {@code semaphore}, {@code ratelimiter}, {@code
 *     retrybudget} or {@code collapser}
 * @param key the key of the command, pool, semaphore, rate limiter, shared budget or collapser
 * @param property the property's name
 * @param oldValue the value before, as text; null if it was unset
 * @param newValue the value now, as text; null if it is unset
 * @param origin which version of the source's settings gave the new value, and who made it; where a
 *     dynamic value went, which took it away. Null if the source has no versions, or the value is
 *     none of the source's
 */
public record SettingChange(
    String scope,
    String key,
    String property,
    @Nullable String oldValue,
    @Nullable String newValue,
    @Nullable SettingOrigin origin) {

  /** One whose origin is not known. */
  public SettingChange(
      String scope,
      String key,
      String property,
      @Nullable String oldValue,
      @Nullable String newValue) {
    this(scope, key, property, oldValue, newValue, null);
  }
}
