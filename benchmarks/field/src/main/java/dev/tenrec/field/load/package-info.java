// SPDX-License-Identifier: Apache-2.0
/**
 * A load driver for loopback: four engines, open and closed loads, latency from the intended start.
 * Start at {@code Load}.
 */
@NullMarked
package dev.tenrec.field.load;

import org.jspecify.annotations.NullMarked;
