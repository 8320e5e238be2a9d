// SPDX-License-Identifier: Apache-2.0
/** Calls that become one batch. */
@NullMarked
package dev.tenrec.core.collapser;

import org.jspecify.annotations.NullMarked;
