// SPDX-License-Identifier: Apache-2.0
/**
 * What a call has to pass before its work starts, in order: the circuit breaker, the rate limit,
 * then the bulkhead ({@link Gates}). The fallback has a gate of its own.
 */
@NullMarked
package dev.tenrec.core.internal.gate;

import org.jspecify.annotations.NullMarked;
