// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import dev.tenrec.core.config.EffectiveSetting;
import dev.tenrec.core.config.Property;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one command, pool, semaphore or collapser, kept up to date.
 *
 * <p>Thread-safe.
 *
 * @param <S> the record of settings
 */
public final class LiveSettings<S> implements AutoCloseable, EffectiveReader {

  private final ScopeSettings<S> scope;
  private final String key;
  private final CodeSettings code;
  private final SettingsOwner<S> owner;

  /** Written under the configuration's lock, read by any thread, ordered by volatile access. */
  private volatile Values values;

  /**
   * Written under the configuration's lock, read by every call outside it, ordered by volatile
   * access.
   */
  private volatile S current;

  /** Read and written under the configuration's lock only. */
  private boolean closed;

  LiveSettings(
      ScopeSettings<S> scope,
      String key,
      CodeSettings code,
      SettingsOwner<S> owner,
      Values values,
      S current) {
    this.scope = scope;
    this.key = key;
    this.code = code;
    this.owner = owner;
    this.values = values;
    this.current = current;
  }

  /** The settings now: one volatile read. One instance until something changes. */
  public S current() {
    return current;
  }

  /** The value of one property now; null if it is unset. */
  public <T> @Nullable T value(Property<T> property) {
    return values.find(property);
  }

  /** The key they belong to. */
  public String key() {
    return key;
  }

  /** Closed settings are read as they were last. */
  @Override
  public List<EffectiveSetting> effective() {
    return scope.effective(this);
  }

  /** No longer keeps them up to date. Idempotent. */
  @Override
  public void close() {
    scope.remove(this);
  }

  CodeSettings code() {
    return code;
  }

  Values values() {
    return values;
  }

  void publish(Values newValues, S newCurrent) {
    values = newValues;
    current = newCurrent;
  }

  /** Returns whether this call closed them. */
  boolean markClosed() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  boolean isClosed() {
    return closed;
  }

  SettingsOwner<S> owner() {
    return owner;
  }
}
