// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where a command's work runs, and what bounds how much of it is in flight. */
public enum IsolationStrategy {
  /** On a thread of a bounded pool. */
  THREAD,
  /** On the caller's thread, within a number of permits. */
  SEMAPHORE,
  /** On a virtual thread of its own, within a number of permits. */
  VIRTUAL_THREAD;

  /**
   * The strategy of this name, in upper or in lower case but not mixed, dashes standing for
   * underscores; null if there is none.
   */
  static @Nullable IsolationStrategy find(String text) {
    String name = text.replace('-', '_');
    for (IsolationStrategy strategy : values()) {
      if (name.equals(strategy.name()) || name.equals(strategy.name().toLowerCase(Locale.ROOT))) {
        return strategy;
      }
    }
    return null;
  }
}
