// SPDX-License-Identifier: Apache-2.0
/** Cells that count what the health of a command is made of. */
@NullMarked
package dev.tenrec.metrics.internal.health;

import org.jspecify.annotations.NullMarked;
