// SPDX-License-Identifier: Apache-2.0
/**
 * Calls that come within a short time become one: which member joins which batch, when a batch
 * starts, and which answer belongs to which member. Knows neither executions nor requests.
 */
@NullMarked
package dev.tenrec.core.internal.collapser;

import org.jspecify.annotations.NullMarked;
