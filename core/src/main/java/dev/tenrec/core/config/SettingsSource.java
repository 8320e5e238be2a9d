// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the values of dynamic properties come from. Three methods to write, so that what stands
 * behind it can be replaced; a source with versions has a fourth, and one that follows a store a
 * fifth.
 *
 * <p>Thread-safe.
 */
public interface SettingsSource extends AutoCloseable {

  /**
   * All values there are now below {@code prefix}, by their full key, as text: {@code
   * tenrec.command.GetQuote.circuitBreaker.forceOpen} for the prefix {@code tenrec}. They are one
   * consistent state, not changed afterwards. All at once rather than key by key: so what changed
   * is found by comparing, however many commands there are, and a mistyped name is seen.
   */
  Map<String, String> values(String prefix);

  /**
   * Has {@code onChange} called after each change that may concern a subscriber; calling it without
   * need does no harm. It is called on the thread that made or found the change, without a lock of
   * the source held.
   */
  Subscription subscribe(Runnable onChange);

  /**
   * Which version gave {@code key} the value it has, and who made that version; of a key that has
   * none any more, which took it away. Settings that change or are refused carry it. Called after
   * {@link #values}, for keys that have changed and for those that are looked at; it must not wait.
   * What it throws is logged, and counts as null.
   *
   * <p>Default: null. The source has no versions.
   *
   * @param key a full key, as {@link #values} has them
   * @param value the value that {@link #values} had for it; null if it had none
   * @return null if that is not known, or if the source has another value for this key by now
   */
  default @Nullable SettingOrigin origin(String key, @Nullable String value) {
    return null;
  }

  /**
   * How this source stands to the store that it follows. Asked by whatever shows this instance, on
   * any thread; it must not wait.
   *
   * <p>Default: null. There is no store that could be away.
   */
  default @Nullable SourceStatus status() {
    return null;
  }

  /** Ends watching. Values stay readable. */
  @Override
  void close();
}
