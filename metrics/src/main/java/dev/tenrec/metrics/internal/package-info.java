// SPDX-License-Identifier: Apache-2.0
/** The metrics of one command, collapser or pool, made of the packages below. */
@NullMarked
package dev.tenrec.metrics.internal;

import org.jspecify.annotations.NullMarked;
