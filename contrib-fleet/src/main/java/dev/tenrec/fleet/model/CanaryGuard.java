// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.model;

import org.jspecify.annotations.Nullable;

/**
 * What makes a member of a canary leave it. Counted since the member joined the canary, for each
 * command; a limit that is null does not matter.
 *
 * @param command the command that is watched; null for each of them
 * @param leastCalls a command with fewer calls since is not judged
 * @param errorPercent the most failures, time-outs and calls beyond their deadline, as a share of
 *     the calls
 * @param refusedPercent the most rejections and short circuits, as a share of the calls
 * @param p99Millis the longest that the 99th percentile of what callers waited may be; it is that
 *     of the command's percentile window, which may begin before the canary
 */
public record CanaryGuard(
    @Nullable String command,
    long leastCalls,
    @Nullable Integer errorPercent,
    @Nullable Integer refusedPercent,
    @Nullable Long p99Millis) {

  /** Checks the limits. */
  public CanaryGuard {
    if (leastCalls < 1) {
      throw new IllegalArgumentException(
          "a guard must want at least 1 call before it judges, was " + leastCalls);
    }
    checkPercent("errors", errorPercent);
    checkPercent("refusals", refusedPercent);
    if (p99Millis != null && p99Millis < 1) {
      throw new IllegalArgumentException("a guard's p99 must be at least 1 ms, was " + p99Millis);
    }
    if (errorPercent == null && refusedPercent == null && p99Millis == null) {
      throw new IllegalArgumentException("a guard needs a limit: errors, refusals or p99");
    }
  }

  private static void checkPercent(String what, @Nullable Integer percent) {
    if (percent != null && (percent < 0 || percent > 100)) {
      throw new IllegalArgumentException(
          "a guard's " + what + " must be from 0 to 100 per cent, was " + percent);
    }
  }
}
