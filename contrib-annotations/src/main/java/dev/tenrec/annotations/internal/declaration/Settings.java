// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.declaration;

import dev.tenrec.core.CommandOptions;
import dev.tenrec.core.Isolation;
import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.retry.Hedge;
import dev.tenrec.core.retry.Retry;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What annotations say about one command, by the names of the properties; checked.
 *
 * @param command the command's properties
 * @param pool its pool's
 * @param ignored exceptions that are the caller's fault
 * @param attempts how many a call has at most
 * @param retried which failures another attempt follows; all if there are none
 * @param hedge when an attempt gets another one beside it; null if never
 * @param sharedBudget what its retries are drawn on; null for its own
 * @param others what is said outside of annotations
 */
public record Settings(
    Map<String, String> command,
    Map<String, String> pool,
    List<Class<? extends Throwable>> ignored,
    int attempts,
    List<Class<? extends Throwable>> retried,
    @Nullable Hedge hedge,
    @Nullable String sharedBudget,
    StartUpSettings others) {

  /** The properties of another command, with what this one says of its own failures. */
  Settings describedAs(Settings other) {
    return new Settings(
        other.command, other.pool, ignored, attempts, retried, hedge, sharedBudget, others);
  }

  /** Whether calls are attempted again. */
  boolean retries() {
    return attempts > 1;
  }

  /**
   * How calls are attempted again; null if they are not.
   *
   * @param key the command's
   */
  public @Nullable Retry retry(String key) {
    if (!retries()) {
      return null;
    }
    Retry retry = Retry.attempts(attempts);
    if (sharedBudget != null) {
      retry = retry.sharedBudget(sharedBudget);
    }
    List<Class<? extends Throwable>> types = new FaultRules(others, key).retried(retried);
    return types.isEmpty()
        ? retry
        : retry.onlyIf(thrown -> types.stream().anyMatch(type -> type.isInstance(thrown)));
  }

  /**
   * Sets these settings on a builder.
   *
   * @param key the command's
   * @param poolKey the pool, or null for the group's
   * @param staged whether the method only starts something: then naming a pool is not yet to run on
   *     it
   */
  @SuppressWarnings({
    "unchecked",
    "rawtypes",
    "ReturnValueIgnored"
  }) // the builder is its own return
  public void applyTo(
      CommandOptions<?> options, String key, @Nullable String poolKey, boolean staged) {
    if (poolKey != null || !pool.isEmpty()) {
      Isolation.ThreadPool threadPool = Isolation.threadPool();
      if (poolKey != null) {
        threadPool = threadPool.key(poolKey);
      }
      for (Map.Entry<String, String> property : pool.entrySet()) {
        threadPool = threadPool.property(property.getKey(), property.getValue());
      }
      CommandOptions<?> unused = options.isolation(threadPool);
      String strategy = CommandProperties.ISOLATION_STRATEGY.name();
      if (staged && !command.containsKey(strategy)) {
        CommandOptions<?> unusedToo = options.property(strategy, "SEMAPHORE");
      }
    }
    command.forEach(
        (name, value) -> {
          CommandOptions<?> unused = options.property(name, value);
        });
    new FaultRules(others, key).applyTo(options, ignored, retries());
  }
}
