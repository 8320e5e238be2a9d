// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import org.jspecify.annotations.Nullable;

/**
 * Something every request has its own of.
 *
 * @param <T> what it is
 */
public interface HystrixRequestVariable<T extends @Nullable Object>
    extends HystrixRequestVariableLifecycle<T> {

  /** The value of this thread's request. */
  T get();
}
