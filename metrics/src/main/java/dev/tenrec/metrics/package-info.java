/**
 * The metrics of one command: the packages below, put together in {@link
 * dev.tenrec.metrics.CommandMetrics}.
 */
@NullMarked
package dev.tenrec.metrics;

import org.jspecify.annotations.NullMarked;
