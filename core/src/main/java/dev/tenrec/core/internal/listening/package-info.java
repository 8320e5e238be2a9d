// SPDX-License-Identifier: Apache-2.0
/** Calls listeners so that what they throw, or how long they take, harms no call. */
@NullMarked
package dev.tenrec.core.internal.listening;

import org.jspecify.annotations.NullMarked;
