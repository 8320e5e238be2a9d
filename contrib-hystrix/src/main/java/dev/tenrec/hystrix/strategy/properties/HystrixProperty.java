// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.properties;

import org.jspecify.annotations.Nullable;

/**
 * A setting that is read anew each time.
 *
 * @param <T> its type
 */
@FunctionalInterface
public interface HystrixProperty<T extends @Nullable Object> {

  /** The value in force. */
  T get();

  /** Makes settings of values. */
  final class Factory {

    private Factory() {}

    /** One that always has this value. */
    public static <T extends @Nullable Object> HystrixProperty<T> asProperty(T value) {
      return () -> value;
    }
  }
}
