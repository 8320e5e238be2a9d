// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestVariableDefault;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which execution of a request was the first with a cache key: others share its run. It only says
 * so of those that are cancelled before the run has ended; the sharing is the engine's.
 *
 * @param commandKey of which command
 * @param cacheKey by what they are equal
 */
record FirstOfRequest(String commandKey, String cacheKey) {

  private static final HystrixRequestVariableDefault<Map<FirstOfRequest, AbstractCommand<?>>>
      OF_REQUEST =
          new HystrixRequestVariableDefault<>() {
            @Override
            public Map<FirstOfRequest, AbstractCommand<?>> initialValue() {
              return new ConcurrentHashMap<>();
            }
          };

  static FirstOfRequest of(String commandKey, String cacheKey) {
    return new FirstOfRequest(commandKey, cacheKey);
  }

  /** The next execution is the first again. */
  void forget() {
    AbstractCommand<?> unused = OF_REQUEST.get().remove(this);
  }

  /** The same, if this execution was the first, and its request is open. */
  void forget(AbstractCommand<?> execution) {
    if (HystrixRequestContext.isCurrentThreadInitialized()) {
      boolean unused = OF_REQUEST.get().remove(this, execution);
    }
  }

  /** Whether another was there before, and was not given up; else this is the first. */
  boolean isThereBefore(AbstractCommand<?> execution) {
    AbstractCommand<?> first = OF_REQUEST.get().putIfAbsent(this, execution);
    return first != null && first != execution;
  }
}
