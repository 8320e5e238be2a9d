// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.Property;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a setter was given, by property. Not thread-safe. */
final class SetProperties {

  /** Takes what was set. */
  @FunctionalInterface
  interface Taker {
    <T> void take(Property<T> property, T value);
  }

  private final Map<Property<?>, Object> values = new HashMap<>();

  <T> void put(Property<T> property, T value) {
    values.put(property, value);
  }

  /** A number that Hystrix would take at any size, and Tenrec only where it means something. */
  void count(Property<Integer> property, int value, String method, String instead) {
    check(property, value, value, method, instead);
    values.put(property, value);
  }

  void millis(Property<Duration> property, int value, String method, String instead) {
    Duration time = Duration.ofMillis(value);
    check(property, time, value, method, instead);
    values.put(property, time);
  }

  private static <T> void check(
      Property<T> property, T value, int given, String method, String instead) {
    try {
      T unused = property.check(property.name(), value);
    } catch (InvalidSettingException bad) {
      throw new IllegalArgumentException(
          method + "(" + given + "): " + bad.rule() + " is expected; " + instead, bad);
    }
  }

  @SuppressWarnings("unchecked") // put lets a property's own type in only
  <T> @Nullable T get(Property<T> property) {
    return (T) values.get(property);
  }

  @Nullable Integer millis(Property<Duration> property) {
    Duration time = get(property);
    return time == null ? null : Math.toIntExact(time.toMillis());
  }

  @Nullable Integer minutes(Property<Duration> property) {
    Duration time = get(property);
    return time == null ? null : Math.toIntExact(time.toMinutes());
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  void each(Taker taker) {
    values.keySet().forEach(property -> hand(property, taker));
  }

  @SuppressWarnings("unchecked") // as in get
  private <T> void hand(Property<T> property, Taker taker) {
    taker.take(property, (T) Objects.requireNonNull(values.get(property)));
  }
}
