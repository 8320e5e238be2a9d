// SPDX-License-Identifier: Apache-2.0
/** The ways to start work: on the thread of a pool, or on a virtual thread of its own. */
@NullMarked
package dev.tenrec.core.internal.launch;

import org.jspecify.annotations.NullMarked;
