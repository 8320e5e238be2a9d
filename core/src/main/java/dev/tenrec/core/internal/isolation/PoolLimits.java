// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

/**
 * The size of a {@link WorkerPool}. Below {@code core} each task that finds no idle thread starts
 * one; then up to {@code queue} tasks wait; then more threads are started up to {@code maximum};
 * then tasks are refused.
 *
 * @param core threads that stay when idle; 0 lets all of them end
 * @param maximum the most threads; one below {@code core} counts as {@code core}, as users of
 *     {@code maximumSize} know it
 * @param queue how many tasks may wait for a thread; 0 refuses a task for which there is none
 * @param keepAliveNanos how long threads above {@code core} stay idle before they end
 */
public record PoolLimits(int core, int maximum, int queue, long keepAliveNanos) {

  /**
   * Raises {@code maximum} to {@code core} if it is less.
   *
   * @throws IllegalArgumentException if a number is negative, or there would be no thread at all
   */
  public PoolLimits {
    maximum = Math.max(core, maximum);
    require(core >= 0, "core threads must be 0 or more, was ", core);
    require(maximum >= 1, "maximum threads must be 1 or more, was ", maximum);
    require(queue >= 0, "queue must be 0 or more tasks, was ", queue);
    require(keepAliveNanos >= 0, "keep-alive must be 0 or more nanoseconds, was ", keepAliveNanos);
  }

  /** How many tasks may be in the pool at once, running or waiting. */
  public int permits() {
    return (int) Math.min(Integer.MAX_VALUE, (long) maximum + queue);
  }

  private static void require(boolean holds, String message, long actual) {
    if (!holds) {
      throw new IllegalArgumentException(message + actual);
    }
  }
}
