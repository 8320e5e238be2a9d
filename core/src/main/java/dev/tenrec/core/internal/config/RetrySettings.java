// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.CommandProperties;

/**
 * The figures of a command's retry, if it has one.
 *
 * @param enabled whether any call is attempted again
 * @param attempts how many at most, the first one included
 * @param firstDelayNanos the delay before the second, without jitter
 * @param longestDelayNanos what no delay exceeds
 * @param attemptTimeoutNanos how long one attempt may take; 0 for as long as its call has time
 * @param budgetPercent how many retries there may be for a hundred executions
 * @param budgetPerSecond how many retries there may be in each second besides
 */
public record RetrySettings(
    boolean enabled,
    int attempts,
    long firstDelayNanos,
    long longestDelayNanos,
    long attemptTimeoutNanos,
    int budgetPercent,
    int budgetPerSecond) {

  static RetrySettings of(Values values) {
    return new RetrySettings(
        values.get(CommandProperties.RETRY_ENABLED),
        values.get(CommandProperties.RETRY_ATTEMPTS),
        values.nanos(CommandProperties.RETRY_FIRST_DELAY),
        values.nanos(CommandProperties.RETRY_LONGEST_DELAY),
        values.nanos(CommandProperties.RETRY_ATTEMPT_TIMEOUT),
        values.get(CommandProperties.RETRY_BUDGET_PERCENT),
        values.get(CommandProperties.RETRY_BUDGET_PER_SECOND));
  }

  /** Whether each attempt has a time-out of its own. */
  public boolean limitsAttempts() {
    return enabled && attemptTimeoutNanos > 0;
  }

  /** Whether an attempt may follow so many. */
  public boolean allowsAfter(int attemptsSoFar) {
    return enabled && attemptsSoFar < attempts;
  }
}
