// SPDX-License-Identifier: Apache-2.0
/** The slots that latencies are counted in: which value is in which, and what a slot stands for. */
@NullMarked
package dev.tenrec.metrics.internal.slots;

import org.jspecify.annotations.NullMarked;
