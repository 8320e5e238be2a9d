// SPDX-License-Identifier: Apache-2.0
/** Contexts with a thousand annotated methods, for measuring how long they take to start. */
@NullMarked
package dev.tenrec.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
