// SPDX-License-Identifier: Apache-2.0
/**
 * The threads for user code that belongs to a call but to no thread of its own: each command has a
 * share of them.
 */
@NullMarked
package dev.tenrec.core.internal.callback;

import org.jspecify.annotations.NullMarked;
