// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.Map;

/**
 * Where the values of dynamic properties come from. Three methods, so that what stands behind it
 * can be replaced.
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

  /** Ends watching. Values stay readable. */
  @Override
  void close();
}
