// SPDX-License-Identifier: Apache-2.0
/**
 * Provider-side pools under 100 concurrent calls: how many threads, how long a queue, what kind of
 * pool, and why one setting does not fit all methods. Start at {@code Sweep}.
 */
@NullMarked
package dev.tenrec.field.provider;

import org.jspecify.annotations.NullMarked;
