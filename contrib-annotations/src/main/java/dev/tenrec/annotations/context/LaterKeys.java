// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.context;

import java.util.Map;

/**
 * Keys of commands that no annotation names, and that the application makes later than its settings
 * are read. Beans of this type are asked when environment variables are matched with keys, and when
 * properties without effect are looked for. They are made before the {@link dev.tenrec.core.Tenrec}
 * is, and must not need it.
 */
public interface LaterKeys {

  /** The keys of commands that are sure to come, each with its group. */
  Map<String, String> groups();

  /**
   * Whether there may be more of them, whose names only their first use says. Then a property of a
   * key that is unknown when the application has started may still have its effect, and the log
   * says so.
   */
  boolean mayBeMore();
}
