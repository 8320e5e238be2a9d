// SPDX-License-Identifier: Apache-2.0
/** How often a call may be attempted, when, and how many retries a command can afford. */
@NullMarked
package dev.tenrec.core.retry;

import org.jspecify.annotations.NullMarked;
