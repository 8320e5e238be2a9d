// SPDX-License-Identifier: Apache-2.0
/** The command line that changes a fleet's settings. */
@NullMarked
package dev.tenrec.fleet.cli;

import org.jspecify.annotations.NullMarked;
