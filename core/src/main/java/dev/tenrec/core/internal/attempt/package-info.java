// SPDX-License-Identifier: Apache-2.0
/**
 * Calls that are attempted more than once: one attempt after the other ({@link Retries}), side by
 * side ({@link Hedges}), or both ({@link Rounds}). Each further attempt is an execution of its own.
 */
@NullMarked
package dev.tenrec.core.internal.attempt;

import org.jspecify.annotations.NullMarked;
