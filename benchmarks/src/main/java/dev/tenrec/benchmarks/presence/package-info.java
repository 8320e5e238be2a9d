// SPDX-License-Identifier: Apache-2.0
/**
 * What a call costs more for a check that it makes, by copies of Tenrec side by side in one JVM.
 */
@NullMarked
package dev.tenrec.benchmarks.presence;

import org.jspecify.annotations.NullMarked;
