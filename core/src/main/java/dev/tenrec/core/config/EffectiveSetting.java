// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import org.jspecify.annotations.Nullable;

/**
 * One setting of one command, pool, semaphore, rate limiter, shared budget or collapser, as it is
 * in force.
 *
 * @param scope {@code command}, {@code threadpool}, {@code semaphore}, {@code ratelimiter}, {@code
 *     retrybudget} or {@code collapser}
 * @param key the key of the command, pool, semaphore, rate limiter, shared budget or collapser
 * @param property the property's name, as {@code circuitBreaker.forceOpen}
 * @param value the value that is gone by, as text, a duration in the unit of the property's name;
 *     null if it is unset
 * @param level where that value comes from
 * @param refusal the last dynamic value for it, of this instance or of all, that was refused and
 *     still stands in the source, and why; null if there is none
 * @param origin which version of the source's settings gave the value, and who made it; null if the
 *     source has no versions, or the value is none of the source's
 */
public record EffectiveSetting(
    String scope,
    String key,
    String property,
    @Nullable String value,
    SettingLevel level,
    @Nullable Refusal refusal,
    @Nullable SettingOrigin origin) {

  /** One whose origin is not known. */
  public EffectiveSetting(
      String scope,
      String key,
      String property,
      @Nullable String value,
      SettingLevel level,
      @Nullable Refusal refusal) {
    this(scope, key, property, value, level, refusal, null);
  }
}
