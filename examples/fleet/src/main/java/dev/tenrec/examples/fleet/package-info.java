// SPDX-License-Identifier: Apache-2.0
/** A fleet of processes that is steered while it runs. */
@NullMarked
package dev.tenrec.examples.fleet;

import org.jspecify.annotations.NullMarked;
