// SPDX-License-Identifier: Apache-2.0
/** How many calls may begin in a time: one word for each limit, no thread, no clock of its own. */
@NullMarked
package dev.tenrec.core.internal.rate;

import org.jspecify.annotations.NullMarked;
