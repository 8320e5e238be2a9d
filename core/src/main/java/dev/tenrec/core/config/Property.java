// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One property: its name below the prefix, scope and key, its type, its default and its rule.
 * Declared once, in {@link CommandProperties}, {@link PoolProperties}, {@link SemaphoreProperties},
 * {@link RateLimiterProperties}, {@link RetryBudgetProperties} or {@link CollapserProperties};
 * compared by identity.
 *
 * @param <T> the type of its value; times are {@link java.time.Duration}s, whatever unit their name
 *     speaks of
 */
public final class Property<T> {

  /** In place of the key of one instance, it makes a dynamic property count for all. */
  public static final String GLOBAL = "default";

  private final String scope;
  private final int index;
  private final String name;
  private final Format<T> format;
  private final Rule<T> rule;
  private final @Nullable T defaultValue;
  private final boolean onlyPerInstance;

  Property(
      String scope,
      int index,
      String name,
      Format<T> format,
      Rule<T> rule,
      @Nullable T defaultValue,
      boolean onlyPerInstance) {
    this.scope = scope;
    this.index = index;
    this.name = name;
    this.format = format;
    this.rule = rule;
    this.defaultValue = defaultValue;
    this.onlyPerInstance = onlyPerInstance;
  }

  /**
   * What it belongs to: {@code command}, {@code threadpool}, {@code semaphore}, {@code
   * ratelimiter}, {@code retrybudget} or {@code collapser}.
   */
  public String scope() {
    return scope;
  }

  /** Its name, as {@code circuitBreaker.forceOpen}. */
  public String name() {
    return name;
  }

  /** The value if nothing sets one; null if it then is unset, or follows another property. */
  public @Nullable T defaultValue() {
    return defaultValue;
  }

  /** Whether only the dynamic property of one instance sets it: neither code nor a global one. */
  public boolean onlyPerInstance() {
    return onlyPerInstance;
  }

  /** Its place among the properties of its scope, from 0 on. */
  public int index() {
    return index;
  }

  /**
   * Reads a value as a source would have it, blanks around it not counting.
   *
   * @param key what an error names
   * @param text the value as text; a duration in the unit of the property's name, or with a unit
   *     after it as {@code 250ms}, {@code 2s}, {@code 1m}, or as in ISO 8601
   * @throws InvalidSettingException if the text does not parse, or the value breaks the rule
   */
  public T read(String key, String text) {
    T value = format.read(text);
    if (value == null) {
      throw new InvalidSettingException(key, text, format.words(text));
    }
    if (!rule.holds().test(value)) {
      throw new InvalidSettingException(key, text, rule.words());
    }
    return value;
  }

  /**
   * Returns {@code value} if it fulfils the rule.
   *
   * @param key what an error names
   * @throws InvalidSettingException if the value breaks the rule
   */
  public T check(String key, T value) {
    if (!rule.holds().test(Objects.requireNonNull(value, key))) {
      throw new InvalidSettingException(key, format.write(value), rule.words());
    }
    return value;
  }

  /**
   * A value of this property as {@link #read} would read it; a duration that is no whole number of
   * the property's unit as in ISO 8601. Null stays null.
   *
   * @throws ClassCastException if the value is of another type than the property's
   */
  @SuppressWarnings(
      "unchecked") // slots hold, at a property's index, only what its own read and check let
  // through
  public @Nullable String write(@Nullable Object value) {
    return value == null ? null : format.write((T) value);
  }

  @Override
  public String toString() {
    return scope + " " + name;
  }
}
