// SPDX-License-Identifier: Apache-2.0
/** A fleet on the page: the only part that knows fleets, and is loaded where there is one. */
@NullMarked
package dev.tenrec.console.internal.steering;

import org.jspecify.annotations.NullMarked;
