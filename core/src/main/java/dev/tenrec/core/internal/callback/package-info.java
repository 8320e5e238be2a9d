// SPDX-License-Identifier: Apache-2.0
/**
 * The threads for user code that belongs to a call but to no thread of its own: each command has a
 * share of them. Start at {@link CallbackExecutor}; {@link CallbackShare} is one command's part.
 */
@NullMarked
package dev.tenrec.core.internal.callback;

import org.jspecify.annotations.NullMarked;
