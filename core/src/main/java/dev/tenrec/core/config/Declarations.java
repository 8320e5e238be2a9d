// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Declares the properties of one scope, each at the next index. */
final class Declarations {

  private final String scope;
  private final List<Property<?>> properties = new ArrayList<>();

  Declarations(String scope) {
    this.scope = scope;
  }

  Property<Boolean> flag(String name, boolean defaultValue) {
    return add(name, Format.FLAG, Rule.none(), defaultValue, false);
  }

  Property<Integer> count(String name, @Nullable Integer defaultValue, Rule<Integer> rule) {
    return add(name, Format.COUNT, rule, defaultValue, false);
  }

  Property<Duration> millis(String name, long defaultMillis, Rule<Duration> rule) {
    return add(name, Format.MILLIS, rule, Duration.ofMillis(defaultMillis), false);
  }

  Property<Duration> minutes(String name, long defaultMinutes, Rule<Duration> rule) {
    return add(name, Format.MINUTES, rule, Duration.ofMinutes(defaultMinutes), false);
  }

  Property<IsolationStrategy> strategy(String name, IsolationStrategy defaultValue) {
    return add(
        name, Format.STRATEGY, Rule.strategyOn(Runtime.version().feature()), defaultValue, false);
  }

  Property<String> instanceKey(String name) {
    return add(name, Format.KEY, Rule.key(), null, true);
  }

  /** All that were declared, in that order. */
  List<Property<?>> all() {
    return List.copyOf(properties);
  }

  private <T> Property<T> add(
      String name,
      Format<T> format,
      Rule<T> rule,
      @Nullable T defaultValue,
      boolean onlyPerInstance) {
    Property<T> property =
        new Property<>(scope, properties.size(), name, format, rule, defaultValue, onlyPerInstance);
    properties.add(property);
    return property;
  }
}
