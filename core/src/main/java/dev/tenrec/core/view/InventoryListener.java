// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.view;

/**
 * Follows which commands, pools, semaphores, rate limiters, budgets of further attempts and
 * collapsers there are, so that what a publisher made for one goes with it. Called in the order in
 * which they come and go and one at a time, on the thread that built or removed something, or on
 * another that is reporting at that moment. Others may have come and gone by then, and what is
 * reported as added may be removed: that is reported next. It should not wait, because what comes
 * later waits to be reported. What it throws is logged. Implement what is of interest.
 */
public interface InventoryListener {

  /** A command there is, or one that was just built. */
  default void onCommandAdded(CommandDetails command) {}

  /** A command was removed. */
  default void onCommandRemoved(CommandDetails command) {}

  /**
   * A pool there is, or one that was just made: when a command first runs on it. It is the same
   * pool with other settings if its removal was reported just before.
   */
  default void onPoolAdded(PoolDetails pool) {}

  /**
   * No command names the pool any more; or code says for the first time what a pool in use is to
   * have, and it is reported as added again at once.
   */
  default void onPoolRemoved(PoolDetails pool) {}

  /** A collapser there is, or one that was just built. */
  default void onCollapserAdded(CollapserDetails collapser) {}

  /** A collapser was removed. */
  default void onCollapserRemoved(CollapserDetails collapser) {}

  /** A shared semaphore there is, or one that was just made. */
  default void onSemaphoreAdded(SemaphoreDetails semaphore) {}

  /** No command shares the semaphore any more. */
  default void onSemaphoreRemoved(SemaphoreDetails semaphore) {}

  /** A shared rate limiter there is, or one that was just made. */
  default void onRateLimiterAdded(RateLimiterDetails rateLimiter) {}

  /** No command shares the rate limiter any more. */
  default void onRateLimiterRemoved(RateLimiterDetails rateLimiter) {}

  /** A shared budget of retries and hedges there is, or one that was just made. */
  default void onRetryBudgetAdded(RetryBudgetDetails retryBudget) {}

  /** No command shares the budget any more. */
  default void onRetryBudgetRemoved(RetryBudgetDetails retryBudget) {}
}
