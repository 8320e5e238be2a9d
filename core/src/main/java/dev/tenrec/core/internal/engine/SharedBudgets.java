// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.retry.SharedBudget;
import org.jspecify.annotations.Nullable;

/**
 * What a command's further attempts are drawn on.
 *
 * @param retries a budget that it shares; null for one of its own
 * @param hedges the same for its hedges
 */
public record SharedBudgets(@Nullable SharedBudget retries, @Nullable SharedBudget hedges) {

  static final SharedBudgets NONE = new SharedBudgets(null, null);
}
