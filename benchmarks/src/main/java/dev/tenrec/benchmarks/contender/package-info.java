// SPDX-License-Identifier: Apache-2.0
/**
 * Those that are compared, each set up as its own documentation recommends, and at its best: limit,
 * breaker over a time window of 10 s, fallback. What is a choice says why.
 */
@NullMarked
package dev.tenrec.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
