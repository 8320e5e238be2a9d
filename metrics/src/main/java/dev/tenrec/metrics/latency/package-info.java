/** Distributions of latencies and of sizes. The only package that names HdrHistogram. */
@NullMarked
package dev.tenrec.metrics.latency;

import org.jspecify.annotations.NullMarked;
