// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.breaker;

import dev.tenrec.core.outcome.CircuitOpenException;

/**
 * In the place of a permission: the circuit is open. One for each opening, so that a refusal costs
 * no object.
 *
 * @param why what the caller receives: one exception for all calls of the opening
 */
public record Refused(CircuitOpenException why) implements Permission {}
