// SPDX-License-Identifier: Apache-2.0
/** How a fleet's settings are kept, merged and followed. Not for users. */
@NullMarked
package dev.tenrec.fleet.internal;

import org.jspecify.annotations.NullMarked;
