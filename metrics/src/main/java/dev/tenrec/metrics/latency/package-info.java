// SPDX-License-Identifier: Apache-2.0
/**
 * What is read of distributions of latencies and of sizes. The only package that names
 * HdrHistogram.
 */
@NullMarked
package dev.tenrec.metrics.latency;

import org.jspecify.annotations.NullMarked;
