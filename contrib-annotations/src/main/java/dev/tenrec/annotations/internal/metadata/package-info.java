// SPDX-License-Identifier: Apache-2.0
/** What editors of Boot's properties read about settings below any key. */
@NullMarked
package dev.tenrec.annotations.internal.metadata;

import org.jspecify.annotations.NullMarked;
