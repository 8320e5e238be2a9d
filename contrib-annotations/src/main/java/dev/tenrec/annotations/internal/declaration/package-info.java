// SPDX-License-Identifier: Apache-2.0
/** Reads annotated classes, and says what is wrong with them. Start-up only. */
@NullMarked
package dev.tenrec.annotations.internal.declaration;

import org.jspecify.annotations.NullMarked;
