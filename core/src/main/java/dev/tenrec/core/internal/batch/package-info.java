// SPDX-License-Identifier: Apache-2.0
/**
 * Calls that were collapsed: how a call becomes a member of a batch, and how a batch is executed.
 */
@NullMarked
package dev.tenrec.core.internal.batch;

import org.jspecify.annotations.NullMarked;
