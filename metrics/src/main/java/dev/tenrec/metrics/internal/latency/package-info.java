// SPDX-License-Identifier: Apache-2.0
/** Distributions of latencies and of sizes. */
@NullMarked
package dev.tenrec.metrics.internal.latency;

import org.jspecify.annotations.NullMarked;
