// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import org.jspecify.annotations.Nullable;

/**
 * A variable of requests that is asked for by a strategy. There is one, so there is one variable.
 *
 * @param <T> what it is
 */
public class HystrixRequestVariableHolder<T extends @Nullable Object> {

  private final HystrixRequestVariable<T> variable;

  /** By this object. */
  public HystrixRequestVariableHolder(HystrixRequestVariableLifecycle<T> lifecycle) {
    this.variable = new HystrixLifecycleForwardingRequestVariable<>(lifecycle);
  }

  /**
   * The value of this thread's request.
   *
   * @throws IllegalStateException if this thread is at no open request
   */
  public T get(HystrixConcurrencyStrategy strategy) {
    return variable.get();
  }
}
