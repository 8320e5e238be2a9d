// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.properties;

import java.util.List;
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

    /** One that has the other's value, or this where that is null. */
    public static <T> HystrixProperty<T> asProperty(
        HystrixProperty<? extends @Nullable T> value, T defaultValue) {
      return () -> {
        T set = value.get();
        return set != null ? set : defaultValue;
      };
    }

    /** One that has the first of these values that is not null; null if all are. */
    @SafeVarargs
    @SuppressWarnings({"varargs", "NullAway"}) // copied; null is what the type says
    public static <T> HystrixProperty<@Nullable T> asProperty(
        HystrixProperty<? extends @Nullable T>... values) {
      var all = List.of(values);
      return () -> {
        for (HystrixProperty<? extends @Nullable T> each : all) {
          T set = each.get();
          if (set != null) {
            return set;
          }
        }
        return null;
      };
    }

    /** One that is null. */
    @SuppressWarnings("NullAway") // it is what the type says
    public static <T> HystrixProperty<@Nullable T> nullProperty() {
      return () -> null;
    }
  }
}
