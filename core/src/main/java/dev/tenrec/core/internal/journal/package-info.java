// SPDX-License-Identifier: Apache-2.0
/** Records what happens to circuits, settings and refused calls, within bounds. */
@NullMarked
package dev.tenrec.core.internal.journal;

import org.jspecify.annotations.NullMarked;
