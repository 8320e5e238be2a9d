// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.fleet.cli;

import dev.tenrec.fleet.FleetRefusedException;
import dev.tenrec.fleet.store.StoreAccessDeniedException;
import dev.tenrec.fleet.store.StoreUnavailableException;

/** What the tool's exit codes mean, for scripts. */
final class ExitCode {

  static final int DONE = 0;
  static final int FAILED = 1;

  /** Picocli's own. */
  static final int USAGE = 2;

  static final int INVALID = 3;
  static final int CONFLICT = 4;
  static final int FROZEN = 5;
  static final int DENIED = 6;
  static final int UNAVAILABLE = 7;
  static final int INCOMPLETE = 8;
  static final int MASKED = 9;
  static final int TOO_LARGE = 10;

  private ExitCode() {}

  static int of(Exception thrown) {
    if (thrown instanceof FleetRefusedException refused) {
      return switch (refused.reason()) {
        case INVALID -> INVALID;
        case CONFLICT -> CONFLICT;
        case FROZEN -> FROZEN;
        case NOT_AUTHENTICATED -> DENIED;
        case MASKED -> MASKED;
        case TOO_LARGE -> TOO_LARGE;
      };
    }
    if (thrown instanceof StoreAccessDeniedException
        || thrown instanceof ConsoleClient.DeniedException) {
      return DENIED;
    }
    if (thrown instanceof StoreUnavailableException
        || thrown instanceof ConsoleClient.UnreachableException) {
      return UNAVAILABLE;
    }
    return thrown instanceof IllegalArgumentException ? USAGE : FAILED;
  }
}
