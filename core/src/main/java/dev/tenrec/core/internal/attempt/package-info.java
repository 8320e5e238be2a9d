// SPDX-License-Identifier: Apache-2.0
/** Calls that are attempted more than once: each further attempt is an execution of its own. */
@NullMarked
package dev.tenrec.core.internal.attempt;

import org.jspecify.annotations.NullMarked;
