// SPDX-License-Identifier: Apache-2.0
/** Opens the consoles of single instances: only at addresses that they may have. */
@NullMarked
package dev.tenrec.console.internal.relay;

import org.jspecify.annotations.NullMarked;
