// SPDX-License-Identifier: Apache-2.0
/** The first example: one file, one command. */
@NullMarked
package dev.tenrec.examples.quickstart;

import org.jspecify.annotations.NullMarked;
