// SPDX-License-Identifier: Apache-2.0
/** Settings of a whole fleet: what an instance follows, and what an operator changes. */
@NullMarked
package dev.tenrec.fleet;

import org.jspecify.annotations.NullMarked;
