// SPDX-License-Identifier: Apache-2.0
/** Deadlines: the timer, its thread, and the clock that it goes by. */
@NullMarked
package dev.tenrec.core.internal.timeout;

import org.jspecify.annotations.NullMarked;
