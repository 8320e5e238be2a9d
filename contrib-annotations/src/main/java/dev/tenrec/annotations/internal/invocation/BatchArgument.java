// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.outcome.Described;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one member of a batch asks, and of which bean: a batch method belongs to one.
 *
 * @param bean compared by identity
 * @param proxy what stands before the bean, for a fallback that is a command; not compared
 * @param argument compared by equals
 */
record BatchArgument(Object bean, Object proxy, @Nullable Object argument)
    implements Described.StandIn {

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BatchArgument that
        && bean == that.bean
        && Objects.equals(argument, that.argument);
  }

  @Override
  public int hashCode() {
    return 31 * System.identityHashCode(bean) + Objects.hashCode(argument);
  }

  /** Messages are about the argument. */
  @Override
  public @Nullable Object original() {
    return argument;
  }

  /** Without the argument's own words, which are its user's. */
  @Override
  public String toString() {
    return "what a member asks: " + Described.value(argument);
  }
}
