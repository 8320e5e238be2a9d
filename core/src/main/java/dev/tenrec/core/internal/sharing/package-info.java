// SPDX-License-Identifier: Apache-2.0
/** Calls of one request with equal cache keys share one execution. */
@NullMarked
package dev.tenrec.core.internal.sharing;

import org.jspecify.annotations.NullMarked;
