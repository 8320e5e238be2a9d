// SPDX-License-Identifier: Apache-2.0
/**
 * What a benchmark finds prepared, and what is checked when it is over: that a figure is one of
 * what its name says. A contender that refused calls would look fast.
 */
@NullMarked
package dev.tenrec.benchmarks.state;

import org.jspecify.annotations.NullMarked;
