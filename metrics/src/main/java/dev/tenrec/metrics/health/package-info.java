// SPDX-License-Identifier: Apache-2.0
/**
 * What the circuit breaker asks: how many calls of the rolling window ended, and how many of them
 * badly.
 */
@NullMarked
package dev.tenrec.metrics.health;

import org.jspecify.annotations.NullMarked;
