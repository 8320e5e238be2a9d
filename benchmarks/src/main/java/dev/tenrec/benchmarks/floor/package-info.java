// SPDX-License-Identifier: Apache-2.0
/** What cannot be left out: the least a guard of each kind has to do on this machine. */
@NullMarked
package dev.tenrec.benchmarks.floor;

import org.jspecify.annotations.NullMarked;
