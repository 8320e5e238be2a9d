// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A variable that has its values made and shut down by another object.
 *
 * @param <T> what it is
 */
public class HystrixLifecycleForwardingRequestVariable<T extends @Nullable Object>
    extends HystrixRequestVariableDefault<T> {

  private final HystrixRequestVariableLifecycle<T> lifecycle;

  /** By this object. */
  public HystrixLifecycleForwardingRequestVariable(HystrixRequestVariableLifecycle<T> lifecycle) {
    this.lifecycle = Objects.requireNonNull(lifecycle, "lifecycle");
  }

  @Override
  public T initialValue() {
    return lifecycle.initialValue();
  }

  @Override
  public void shutdown(T value) {
    lifecycle.shutdown(value);
  }
}
