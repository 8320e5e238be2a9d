// SPDX-License-Identifier: Apache-2.0
/** One execution from the call to its single ending. Read {@code Pipeline} first. */
@NullMarked
package dev.tenrec.core.internal.call;

import org.jspecify.annotations.NullMarked;
