// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import org.jspecify.annotations.Nullable;

/**
 * One property of one command, pool or semaphore has another value now.
 *
 * @param scope {@code command}, {@code threadpool}, {@code semaphore}, {@code ratelimiter} or
 *     {@code collapser}
 * @param key the key of the command, pool or semaphore
 * @param property the property's name
 * @param oldValue the value before, as text; null if it was unset
 * @param newValue the value now, as text; null if it is unset
 */
public record SettingChange(
    String scope,
    String key,
    String property,
    @Nullable String oldValue,
    @Nullable String newValue) {}
