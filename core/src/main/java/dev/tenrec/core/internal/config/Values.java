// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.Property;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One value for each property of a scope. Immutable; null where a property without a default is
 * unset.
 */
final class Values {

  private final @Nullable Object[] slots;

  /** Takes the array over: the caller does not touch it again. */
  Values(@Nullable Object[] slots) {
    this.slots = slots;
  }

  /** The value of a property that has a default. */
  <T> T get(Property<T> property) {
    return Objects.requireNonNull(find(property), property.name());
  }

  long nanos(Property<Duration> property) {
    return get(property).toNanos();
  }

  @SuppressWarnings(
      "unchecked") // slots hold, at a property's index, only what its own read and check let
  // through
  <T> @Nullable T find(Property<T> property) {
    return (T) slots[property.index()];
  }

  boolean sameAt(Property<?> property, Values other) {
    return Objects.equals(slots[property.index()], other.slots[property.index()]);
  }

  /** These values, with those of {@code properties} taken from {@code other}. */
  Values with(Iterable<Property<?>> properties, Values other) {
    @Nullable Object[] mixed = slots.clone();
    for (Property<?> property : properties) {
      mixed[property.index()] = other.slots[property.index()];
    }
    return new Values(mixed);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Values that && Arrays.equals(slots, that.slots);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(slots);
  }
}
