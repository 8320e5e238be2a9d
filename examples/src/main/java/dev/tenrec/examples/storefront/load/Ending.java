// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.load;

import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandInterruptedException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import java.util.concurrent.CancellationException;

/** How a caller was answered: each call has exactly one. */
public enum Ending {
  SUCCESS("success"),
  FALLBACK("fallback"),
  FAILURE("failure"),
  BAD_REQUEST("badRequest"),
  TIMEOUT("timeout"),
  REJECTED("rejected"),
  SHORT_CIRCUITED("shortCircuited"),
  CANCELLED("cancelled");

  private final String label;

  Ending(String label) {
    this.label = label;
  }

  /** Its name in tables and reports. */
  public String label() {
    return label;
  }

  /** The ending of a call that got this instead of a value. */
  static Ending of(Throwable error) {
    if (error instanceof CommandTimeoutException) {
      return TIMEOUT;
    } else if (error instanceof CommandRejectedException) {
      return REJECTED;
    } else if (error instanceof CircuitOpenException) {
      return SHORT_CIRCUITED;
    } else if (error instanceof BadRequestException) {
      return BAD_REQUEST;
    } else if (error instanceof CancellationException
        || error instanceof CommandInterruptedException) {
      return CANCELLED;
    }
    return FAILURE; // the work's own exception; a checked one comes in a CommandFailedException
  }
}
