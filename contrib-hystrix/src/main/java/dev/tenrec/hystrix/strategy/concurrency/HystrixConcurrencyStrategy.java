// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Brings what is bound to the caller's thread to where its work and its fallback run. Registered
 * with {@link dev.tenrec.hystrix.strategy.HystrixPlugins#registerConcurrencyStrategy}. Thread-safe.
 * Pools and queues are Tenrec's own, so there is nothing here that makes them.
 */
public abstract class HystrixConcurrencyStrategy {

  /** One that wraps nothing yet. */
  protected HystrixConcurrencyStrategy() {}

  /**
   * Called on the thread that executes a command, once for its work and once for its fallback,
   * where the work is to run on another thread; and on the thread that calls a collapser, where
   * what the first call of a batch captured is there when the batch's command is made and executed.
   *
   * @param callable calls the work, or starts the batch; not to be called twice
   * @return what is called in its place, on the thread of the work; what it throws counts as thrown
   *     by the work, and fails the calls of a batch
   */
  public <T extends @Nullable Object> Callable<T> wrapCallable(Callable<T> callable) {
    return callable;
  }

  /**
   * A variable of requests; a {@link HystrixRequestVariableHolder} asks once. Nothing else does:
   * the request log and the request cache are of the {@link HystrixRequestContext}, whatever this
   * returns.
   */
  public <T extends @Nullable Object> HystrixRequestVariable<T> getRequestVariable(
      HystrixRequestVariableLifecycle<T> rv) {
    return new HystrixLifecycleForwardingRequestVariable<>(rv);
  }
}
