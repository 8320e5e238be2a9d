// SPDX-License-Identifier: Apache-2.0
/** Commands by the hundred, to be weighed. */
@NullMarked
package dev.tenrec.benchmarks.footprint;

import org.jspecify.annotations.NullMarked;
