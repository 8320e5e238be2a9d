// SPDX-License-Identifier: Apache-2.0
/**
 * What a call costs: Tenrec beside its peers, and beside what the machine allows. {@code
 * docs/lab/benchmarks.md} says how to run it.
 */
@NullMarked
package dev.tenrec.benchmarks;

import org.jspecify.annotations.NullMarked;
