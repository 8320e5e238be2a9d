// SPDX-License-Identifier: Apache-2.0
/** What a fleet's store has to do, and one in memory. */
@NullMarked
package dev.tenrec.fleet.store;

import org.jspecify.annotations.NullMarked;
