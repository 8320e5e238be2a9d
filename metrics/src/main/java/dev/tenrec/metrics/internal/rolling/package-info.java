// SPDX-License-Identifier: Apache-2.0
/** Counts that only grow, kept in stripes, and the history that makes rolling windows of them. */
@NullMarked
package dev.tenrec.metrics.internal.rolling;

import org.jspecify.annotations.NullMarked;
