// SPDX-License-Identifier: Apache-2.0
/** User code beside a call, and what it must not hold up. */
@NullMarked
package dev.tenrec.core.callback;

import org.jspecify.annotations.NullMarked;
