// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.internal;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs for threads that must not end, or have more to do after it: where there is no memory, no
 * stack, or a logger that throws, it is left out. Never throws.
 */
final class SureLog {

  private SureLog() {}

  /** Makes nothing itself, for where there is no memory. */
  static void error(Logger log, String words, Throwable thrown) {
    try {
      log.error(words, thrown);
    } catch (Throwable loggers) {
      return;
    }
  }

  static void error(Logger log, String words, @Nullable Object... with) {
    try {
      log.error(words, with);
    } catch (Throwable loggers) {
      return;
    }
  }

  static void warn(Logger log, String words, @Nullable Object... with) {
    try {
      log.warn(words, with);
    } catch (Throwable loggers) {
      return;
    }
  }

  static void info(Logger log, String words, @Nullable Object... with) {
    try {
      log.info(words, with);
    } catch (Throwable loggers) {
      return;
    }
  }
}
