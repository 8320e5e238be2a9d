/**
 * Settings as immutable snapshots, the properties behind them, and the source of their values.
 * Start at {@code Configuration}; the properties stand as data in {@code CommandProperties}, {@code
 * PoolProperties} and {@code SemaphoreProperties}.
 */
@NullMarked
package dev.tenrec.core.config;

import org.jspecify.annotations.NullMarked;
