// SPDX-License-Identifier: Apache-2.0
/** Where work runs, and how many calls may be in flight. */
@NullMarked
package dev.tenrec.core.isolation;

import org.jspecify.annotations.NullMarked;
