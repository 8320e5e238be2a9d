// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.InvalidSettingException;
import dev.tenrec.core.config.Property;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What code sets for one command, pool, semaphore, rate limiter, budget or collapser: stronger than
 * the dynamic global properties, weaker than the dynamic properties of the instance. Immutable;
 * equal if the same properties have the same values, so that two definitions of one key can be
 * compared.
 */
public final class CodeSettings {

  private final PropertyTable table;
  private final Map<Property<?>, Object> values;

  CodeSettings(PropertyTable table, Map<Property<?>, Object> values) {
    this.table = table;
    this.values = Map.copyOf(values);
  }

  /** Starts the settings of a command. */
  public static Builder command() {
    return new Builder(CommandSettings.SCOPE.table());
  }

  /** Starts the settings of a pool. */
  public static Builder pool() {
    return new Builder(PoolSettings.SCOPE.table());
  }

  /** Starts the settings of a shared semaphore. */
  public static Builder semaphore() {
    return new Builder(SemaphoreSettings.SCOPE.table());
  }

  /** Starts the settings of a shared rate limiter. */
  public static Builder rateLimiter() {
    return new Builder(RateSettings.SCOPE.table());
  }

  /** Starts the settings of a shared budget of further attempts. */
  public static Builder retryBudget() {
    return new Builder(RetryBudgetSettings.SCOPE.table());
  }

  /** Starts the settings of a collapser. */
  public static Builder collapser() {
    return new Builder(CollapserSettings.SCOPE.table());
  }

  /** The value code gave, or null. */
  @SuppressWarnings("unchecked") // the builder puts a property's own type only
  public <T> @Nullable T get(Property<T> property) {
    return (T) values.get(property);
  }

  /** Whether code sets nothing. */
  public boolean isEmpty() {
    return values.isEmpty();
  }

  PropertyTable table() {
    return table;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CodeSettings that && table == that.table && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** The properties that are set, by name, as {@code {coreSize=5, maxQueueSize=20}}. */
  @Override
  public String toString() {
    Map<String, String> byName = new TreeMap<>();
    values.forEach(
        (property, value) -> byName.put(property.name(), String.valueOf(property.write(value))));
    return byName.toString();
  }

  /**
   * Collects settings; each value is checked when it is set, the rules between properties when the
   * settings are used. Not thread-safe.
   */
  public static final class Builder {

    private final PropertyTable table;
    private final Map<Property<?>, Object> values = new HashMap<>();
    private String owner = "";

    Builder(PropertyTable table) {
      this.table = table;
    }

    /** The key of the instance these settings are for: errors from now on name it as well. */
    public Builder of(String key) {
      owner = table.scope() + "." + Objects.requireNonNull(key, "key") + ".";
      return this;
    }

    /**
     * Sets a property; the last value set counts.
     *
     * @throws InvalidSettingException if the value breaks the property's rule, or the property
     *     cannot be set here
     */
    public <T> Builder set(Property<T> property, T value) {
      Objects.requireNonNull(value, property.name());
      String text = String.valueOf(property.write(value));
      if (!table.owns(property)) {
        throw new InvalidSettingException(
            owner + property.name(),
            text,
            "belongs to a " + property.scope() + ", not to a " + table.scope());
      }
      if (property.onlyPerInstance()) {
        throw new InvalidSettingException(
            owner + property.name(),
            text,
            "can be set by the dynamic property of one " + table.scope() + " only");
      }
      values.put(property, property.check(owner + property.name(), value));
      return this;
    }

    /**
     * Sets a property by its name, as {@code circuitBreaker.forceOpen}, to a value as a source
     * would have it.
     *
     * @throws InvalidSettingException if there is no such property (the message lists near names),
     *     the value does not parse or breaks its rule
     */
    public Builder set(String name, String value) {
      Property<?> property = table.find(Objects.requireNonNull(name, "name"));
      if (property == null) {
        throw new InvalidSettingException(owner + name, value, table.unknown(name));
      }
      return read(property, Objects.requireNonNull(value, name));
    }

    /**
     * Sets all that {@code other}, of the same scope, has set; what it has beats what was set here
     * before.
     */
    public Builder addAll(CodeSettings other) {
      if (other.table != table) {
        throw new IllegalArgumentException(
            "settings of a " + other.table.scope() + " given to a " + table.scope());
      }
      values.putAll(other.values);
      return this;
    }

    private <T> Builder read(Property<T> property, String text) {
      return set(property, property.read(owner + property.name(), text));
    }

    /** What was set so far; the builder stays usable. */
    public CodeSettings build() {
      return values.isEmpty() ? table.nothing() : new CodeSettings(table, values);
    }
  }
}
