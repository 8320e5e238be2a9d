// SPDX-License-Identifier: Apache-2.0
/**
 * Calls that are attempted more than once: one attempt after the other ({@link Retries}), or side
 * by side ({@link Hedges}). Each further attempt is an execution of its own.
 */
@NullMarked
package dev.tenrec.core.internal.attempt;

import org.jspecify.annotations.NullMarked;
