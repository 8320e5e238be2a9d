/** Settings as immutable snapshots, the properties behind them, and the source of their values. */
@NullMarked
package dev.tenrec.core.config;

import org.jspecify.annotations.NullMarked;
