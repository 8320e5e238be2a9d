// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of one scope, in the order they were declared. */
final class PropertyTable {

  private final String scope;
  private final List<Property<?>> properties;
  private final Map<String, Property<?>> byName = new HashMap<>();
  private final CodeSettings nothing = new CodeSettings(this, Map.of());

  private PropertyTable(String scope, List<Property<?>> properties) {
    this.scope = scope;
    this.properties = List.copyOf(properties);
    properties.forEach(property -> byName.put(property.name(), property));
  }

  static Builder of(String scope) {
    return new Builder(scope);
  }

  /** What code sets that sets nothing. */
  CodeSettings nothing() {
    return nothing;
  }

  String scope() {
    return scope;
  }

  List<Property<?>> properties() {
    return properties;
  }

  int size() {
    return properties.size();
  }

  /** The property of exactly this name, or null. */
  @Nullable Property<?> find(String name) {
    return byName.get(name);
  }

  boolean owns(Property<?> property) {
    return byName.get(property.name()) == property;
  }

  /** What to say about a name that is not in this table. */
  String unknown(String name) {
    return "names no property of a "
        + scope
        + "; near names: "
        + String.join(", ", NearNames.of(name, byName.keySet()));
  }

  /** Declares properties, each at the next index. */
  static final class Builder {

    private final String scope;
    private final List<Property<?>> properties = new ArrayList<>();

    private Builder(String scope) {
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

    PropertyTable build() {
      return new PropertyTable(scope, properties);
    }

    private <T> Property<T> add(
        String name,
        Format<T> format,
        Rule<T> rule,
        @Nullable T defaultValue,
        boolean onlyPerInstance) {
      Property<T> property =
          new Property<>(
              scope, properties.size(), name, format, rule, defaultValue, onlyPerInstance);
      properties.add(property);
      return property;
    }
  }
}
