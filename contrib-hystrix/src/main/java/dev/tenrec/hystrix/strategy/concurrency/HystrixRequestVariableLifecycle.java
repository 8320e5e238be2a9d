// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import org.jspecify.annotations.Nullable;

/**
 * How the value of a request begins and ends.
 *
 * @param <T> what it is
 */
public interface HystrixRequestVariableLifecycle<T extends @Nullable Object> {

  /** Makes the value of a request, where it is first asked for. */
  T initialValue();

  /** The request ends, or the value is removed. */
  void shutdown(T value);
}
