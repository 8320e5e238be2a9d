// SPDX-License-Identifier: Apache-2.0
/**
 * What {@code benchmarks/compare} is: runs sets of benchmarks, reads what JMH wrote, and makes a
 * table, verdicts on gates and plots of it.
 */
@NullMarked
package dev.tenrec.benchmarks.report;

import org.jspecify.annotations.NullMarked;
