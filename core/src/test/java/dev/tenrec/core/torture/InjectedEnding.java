// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.outcome.BadRequestException;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.core.outcome.CommandTimeoutException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** How the one call of an {@link InjectedScenario} ends when nothing goes wrong on the way. */
enum InjectedEnding {
  SUCCESS,
  FAILURE,
  FAILURE_WITH_FALLBACK,
  FALLBACK_FAILURE,
  BAD_REQUEST,
  TIMEOUT,
  TIMEOUT_WITH_FALLBACK,
  SHORT_CIRCUIT,
  SHORT_CIRCUIT_WITH_FALLBACK,
  REJECTION,
  CANCELLATION,
  CLOSE;

  static final String VALUE = "value";
  static final String FALLBACK = "fallback";

  boolean hasFallback() {
    return this == FAILURE_WITH_FALLBACK
        || this == FALLBACK_FAILURE
        || this == TIMEOUT_WITH_FALLBACK
        || this == SHORT_CIRCUIT_WITH_FALLBACK;
  }

  boolean timesOut() {
    return this == TIMEOUT || this == TIMEOUT_WITH_FALLBACK;
  }

  boolean isShortCircuit() {
    return this == SHORT_CIRCUIT || this == SHORT_CIRCUIT_WITH_FALLBACK;
  }

  /** Whether the work is at it until it is let go. */
  boolean holdsWork() {
    return timesOut() || this == CANCELLATION || this == CLOSE;
  }

  /** Whether the circuit changes its state at this ending, if its thresholds are 1. */
  boolean trips() {
    return this == SUCCESS // of a trial
        || this == FAILURE
        || this == FAILURE_WITH_FALLBACK
        || this == FALLBACK_FAILURE
        || timesOut()
        || this == REJECTION;
  }

  /** What was expected instead; null if this is what the caller should be answered with. */
  @Nullable String misses(@Nullable Object value, @Nullable Throwable error) {
    switch (this) {
      case SUCCESS:
        return VALUE.equals(value) ? null : "the work's value";
      case FAILURE_WITH_FALLBACK:
      case TIMEOUT_WITH_FALLBACK:
      case SHORT_CIRCUIT_WITH_FALLBACK:
        return FALLBACK.equals(value) ? null : "the fallback's value";
      case FAILURE:
      case FALLBACK_FAILURE:
        return hasCause(error, IOException.class) ? null : "the work's exception";
      case BAD_REQUEST:
        return error instanceof BadRequestException ? null : "the bad request";
      case TIMEOUT:
        return error instanceof CommandTimeoutException ? null : "a time-out";
      case SHORT_CIRCUIT:
        return error instanceof CircuitOpenException ? null : "a short-circuit";
      case REJECTION:
        return error instanceof CommandRejectedException ? null : "a rejection";
      case CANCELLATION:
      case CLOSE:
        return null; // what the caller sees differs by door, and may have come first
    }
    throw new AssertionError(this);
  }

  private static boolean hasCause(@Nullable Throwable error, Class<?> type) {
    for (Throwable t = error; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return true;
      }
    }
    return false;
  }
}
