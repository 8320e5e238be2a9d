// SPDX-License-Identifier: Apache-2.0
/** How long to wait before a retry, and whether there is one left in the budget. */
@NullMarked
package dev.tenrec.core.internal.retry;

import org.jspecify.annotations.NullMarked;
