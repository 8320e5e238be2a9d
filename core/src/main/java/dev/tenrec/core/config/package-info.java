/**
 * The properties that settings are made of, the source of their values, and the listeners of
 * changed and refused ones. The properties stand as data in {@link
 * dev.tenrec.core.config.CommandProperties}, {@link dev.tenrec.core.config.PoolProperties}, {@link
 * dev.tenrec.core.config.SemaphoreProperties}, {@link dev.tenrec.core.config.RateLimiterProperties}
 * and {@link dev.tenrec.core.config.CollapserProperties}.
 */
@NullMarked
package dev.tenrec.core.config;

import org.jspecify.annotations.NullMarked;
