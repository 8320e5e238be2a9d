// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * A variable of requests that is asked for by a strategy, which makes it. Thread-safe.
 *
 * @param <T> what it is
 */
public class HystrixRequestVariableHolder<T extends @Nullable Object> {

  private final HystrixRequestVariableLifecycle<T> lifecycle;
  private final ConcurrentMap<HystrixConcurrencyStrategy, HystrixRequestVariable<T>> variables =
      new ConcurrentHashMap<>(2);

  /** By this object. */
  public HystrixRequestVariableHolder(HystrixRequestVariableLifecycle<T> lifecycle) {
    this.lifecycle = lifecycle;
  }

  /**
   * The value of this thread's request, by the variable of this strategy.
   *
   * @throws IllegalStateException if this thread is at no open request
   */
  public T get(HystrixConcurrencyStrategy strategy) {
    HystrixRequestVariable<T> present = variables.get(strategy);
    return (present != null
            ? present
            : variables.computeIfAbsent(strategy, same -> same.getRequestVariable(lifecycle)))
        .get();
  }
}
