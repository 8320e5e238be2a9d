// SPDX-License-Identifier: Apache-2.0
/** A live page of what every command is doing, served by the library itself. */
@NullMarked
package dev.tenrec.console;

import org.jspecify.annotations.NullMarked;
