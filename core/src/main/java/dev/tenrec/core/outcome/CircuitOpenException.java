// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The call was not made, because the command's circuit is open (or half-open, with all trials
 * taken).
 *
 * <p>All calls that one open period refuses get one unchangeable exception, so that refusing costs
 * nothing: it has no stack trace, and {@link #addSuppressed} does nothing. {@link #fresh} makes one
 * of a call's own.
 */
public final class CircuitOpenException extends CommandException {

  private static final long serialVersionUID = 1L;

  private final String reason;
  private final @Nullable Instant openSince;
  private final @Nullable Instant retryAfter;

  private CircuitOpenException(
      String commandKey,
      String reason,
      @Nullable Instant openSince,
      @Nullable Instant retryAfter,
      boolean withStackTrace,
      boolean suppressionEnabled) {
    super(
        commandKey,
        message(commandKey, reason, openSince, retryAfter),
        null,
        withStackTrace,
        suppressionEnabled);
    this.reason = reason;
    this.openSince = openSince;
    this.retryAfter = retryAfter;
  }

  /**
   * The one exception for all calls that an open period refuses.
   *
   * @param reason why the circuit opened: counts and thresholds
   * @param openSince when it did, or null if unknown
   * @param retryAfter from when on a trial is let through, by the sleep window in force when it
   *     opened; null if never
   */
  public static CircuitOpenException shared(
      String commandKey, String reason, @Nullable Instant openSince, @Nullable Instant retryAfter) {
    return new CircuitOpenException(commandKey, reason, openSince, retryAfter, false, false);
  }

  /** The one exception for all calls that {@code circuitBreaker.forceOpen} refuses. */
  public static CircuitOpenException forced(String commandKey) {
    return shared(commandKey, "forced by circuitBreaker.forceOpen=true", null, null);
  }

  /**
   * A copy of this exception for one call alone.
   *
   * @param fallbackError what became of the call's fallback, to be attached as suppressed; null if
   *     there is nothing to attach
   * @param withStackTrace whether to take over the stack trace; if there is none, that of the
   *     calling thread is filled in
   */
  public CircuitOpenException fresh(@Nullable Throwable fallbackError, boolean withStackTrace) {
    CircuitOpenException mine =
        new CircuitOpenException(commandKey(), reason, openSince, retryAfter, withStackTrace, true);
    if (withStackTrace && getStackTrace().length > 0) {
      mine.setStackTrace(getStackTrace());
    }
    if (fallbackError != null) {
      mine.addSuppressed(fallbackError);
    }
    return mine;
  }

  /** Why the circuit opened: the counts it opened on, and the thresholds in force. */
  public String reason() {
    return reason;
  }

  /** When the circuit opened; null if it was forced open. */
  public @Nullable Instant openSince() {
    return openSince;
  }

  /**
   * From when on a trial is let through, by the sleep window that was in force when the circuit
   * opened; null if it was forced open.
   */
  public @Nullable Instant retryAfter() {
    return retryAfter;
  }

  private static String message(
      String commandKey, String reason, @Nullable Instant openSince, @Nullable Instant retryAfter) {
    StringBuilder text = new StringBuilder(commandKey).append(": circuit open: ").append(reason);
    if (openSince != null) {
      text.append("; since ").append(openSince);
    }
    if (retryAfter != null) {
      text.append(", trials from ").append(retryAfter);
    }
    return text.toString();
  }

  @Override
  public FailureType failureType() {
    return FailureType.SHORT_CIRCUITED;
  }
}
