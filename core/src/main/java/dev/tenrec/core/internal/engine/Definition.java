// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import dev.tenrec.core.internal.config.CodeSettings;
import dev.tenrec.core.internal.config.CommandSettings;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * What code says about one command key. All definitions of a key have to be equal: the first one to
 * come does not silently win.
 *
 * @param group the command's group
 * @param command its settings
 * @param poolKey its pool
 * @param pool what it says about the pool
 * @param semaphore the semaphore it shares, and what it says about that; null for none
 * @param rateLimiter the rate limiter it shares, and what it says about that; null for none
 * @param retryBudget the budget its retries are drawn on, and what it says about that; null for one
 *     of its own
 * @param hedgeBudget the same of its hedges
 * @param stackTraces whether Tenrec's own exceptions get a stack trace
 */
public record Definition(
    String group,
    CodeSettings command,
    String poolKey,
    CodeSettings pool,
    @Nullable NamedShare semaphore,
    @Nullable NamedShare rateLimiter,
    @Nullable NamedShare retryBudget,
    @Nullable NamedShare hedgeBudget,
    boolean stackTraces) {

  /** What another says that this does not, in words: {@code group Pricing, now Quotes}. */
  String changedTo(Definition other) {
    StringJoiner words = new StringJoiner("; ");
    add(words, "group", group, other.group);
    add(words, "settings", command, other.command);
    add(words, "thread pool", poolKey, other.poolKey);
    add(words, "settings of the pool", pool, other.pool);
    add(words, "semaphore", semaphore, other.semaphore);
    add(words, "rate limiter", rateLimiter, other.rateLimiter);
    add(words, "budget of retries", retryBudget, other.retryBudget);
    add(words, "budget of hedges", hedgeBudget, other.hedgeBudget);
    add(words, "stack traces", stackTraces, other.stackTraces);
    return words.toString();
  }

  private static void add(
      StringJoiner words, String name, @Nullable Object before, @Nullable Object now) {
    if (!Objects.equals(before, now)) {
      words.add(name + " " + before + ", now " + now);
    }
  }

  /** This definition, with these settings of the command. */
  Definition with(CodeSettings equal) {
    return new Definition(
        group, equal, poolKey, pool, semaphore, rateLimiter, retryBudget, hedgeBudget, stackTraces);
  }

  /** This definition of a command whose further attempts are drawn on these budgets. */
  public Definition withBudgets(@Nullable NamedShare ofRetries, @Nullable NamedShare ofHedges) {
    return new Definition(
        group, command, poolKey, pool, semaphore, rateLimiter, ofRetries, ofHedges, stackTraces);
  }

  /** The pool it may run on by these settings. */
  String poolKey(CommandSettings settings) {
    String override = settings.threadPoolKeyOverride();
    return override != null ? override : poolKey;
  }
}
