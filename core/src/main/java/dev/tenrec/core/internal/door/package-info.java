// SPDX-License-Identifier: Apache-2.0
/** The ways to call a command without waiting: futures and Rx types, completed by its ending. */
@NullMarked
package dev.tenrec.core.internal.door;

import org.jspecify.annotations.NullMarked;
