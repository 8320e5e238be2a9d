// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.CommandProperties;

/**
 * The figures of a command's hedge, if it has one.
 *
 * @param enabled whether any call is hedged
 * @param afterNanos how long an attempt is out before another one begins beside it, at least
 * @param percentile what share of the executions says how long; 0 if none does
 * @param atMost how many hedges a call has at most
 * @param budgetPercent how many hedges there may be for a hundred executions
 * @param budgetPerSecond how many hedges there may be in each second besides
 */
public record HedgeSettings(
    boolean enabled,
    long afterNanos,
    int percentile,
    int atMost,
    int budgetPercent,
    int budgetPerSecond) {

  static HedgeSettings of(Values values) {
    return new HedgeSettings(
        values.get(CommandProperties.HEDGE_ENABLED),
        values.nanos(CommandProperties.HEDGE_AFTER),
        values.get(CommandProperties.HEDGE_PERCENTILE),
        values.get(CommandProperties.HEDGE_AT_MOST),
        values.get(CommandProperties.HEDGE_BUDGET_PERCENT),
        values.get(CommandProperties.HEDGE_BUDGET_PER_SECOND));
  }
}
