// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import org.jspecify.annotations.Nullable;

/**
 * A setting as it is in force.
 *
 * @param scope {@code command}, {@code threadpool}, {@code semaphore} or {@code collapser}
 * @param key the key of the command, pool, semaphore or collapser
 * @param property the property's name
 * @param value the value as text; null if it is unset
 * @param level what gave the value
 */
public record ResolvedSetting(
    String scope, String key, String property, @Nullable String value, SettingLevel level) {}
