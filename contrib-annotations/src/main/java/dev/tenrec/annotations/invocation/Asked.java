// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.invocation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one member of a batch asks, and of which bean: a batch method belongs to one.
 *
 * @param bean compared by identity
 * @param argument compared by equals
 */
record Asked(Object bean, @Nullable Object argument) {

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Asked that
        && bean == that.bean
        && Objects.equals(argument, that.argument);
  }

  @Override
  public int hashCode() {
    return 31 * System.identityHashCode(bean) + Objects.hashCode(argument);
  }

  /** Messages are about the argument. */
  @Override
  public String toString() {
    return String.valueOf(argument);
  }
}
