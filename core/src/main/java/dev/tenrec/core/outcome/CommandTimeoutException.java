// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import java.time.Duration;

/** The deadline of an execution came before the end of its work. */
public final class CommandTimeoutException extends CommandException {

  private static final long serialVersionUID = 1L;

  /** Which of its limits an execution has passed. */
  public enum Limit {
    /** That of all of it. */
    EXECUTION,
    /** That of the call it was made in, which came before its own. */
    DEADLINE,
    /** That of one attempt, where a retry gives each a time-out of its own. */
    ATTEMPT,
    /** That of a stream's first item, or of its end without one. */
    FIRST_ITEM,
    /** That of each further item of a stream, or of its end. */
    NEXT_ITEM
  }

  private final Limit limit;
  private final long timeoutNanos;
  private final long elapsedNanos;
  private final boolean workBegan;

  /**
   * For the engine.
   *
   * @param commandKey which command
   * @param timeoutNanos the time it had
   * @param elapsedNanos the time that had passed when the time-out was found
   * @param workBegan whether the work had begun, or was still waiting for a thread
   * @param withStackTrace whether to fill in a stack trace
   */
  public CommandTimeoutException(
      String commandKey,
      long timeoutNanos,
      long elapsedNanos,
      boolean workBegan,
      boolean withStackTrace) {
    this(commandKey, Limit.EXECUTION, timeoutNanos, elapsedNanos, workBegan, withStackTrace);
  }

  /**
   * For the engine.
   *
   * @param commandKey which command
   * @param limit what came too late
   * @param timeoutNanos the time it had
   * @param elapsedNanos the time that had passed when the time-out was found
   * @param workBegan whether the work had begun, or was still waiting for a thread
   * @param withStackTrace whether to fill in a stack trace
   */
  public CommandTimeoutException(
      String commandKey,
      Limit limit,
      long timeoutNanos,
      long elapsedNanos,
      boolean workBegan,
      boolean withStackTrace) {
    super(commandKey, "", null, withStackTrace, true); // the words are made when they are asked for
    this.limit = limit;
    this.timeoutNanos = timeoutNanos;
    this.elapsedNanos = elapsedNanos;
    this.workBegan = workBegan;
  }

  /**
   * A copy of this exception, for the engine: this one was handed to the fallback.
   *
   * @param fallbackError what became of the call's fallback, to be attached as suppressed
   * @param withStackTrace whether to take over the stack trace
   */
  public CommandTimeoutException fresh(Throwable fallbackError, boolean withStackTrace) {
    CommandTimeoutException mine =
        new CommandTimeoutException(
            commandKey(), limit, timeoutNanos, elapsedNanos, workBegan, withStackTrace);
    if (withStackTrace) {
      mine.setStackTrace(getStackTrace());
    }
    mine.addSuppressed(fallbackError);
    return mine;
  }

  @Override
  public String getMessage() {
    if (limit == Limit.DEADLINE) {
      return commandKey() + beyondDeadline();
    }
    return commandKey()
        + " timed out: the limit "
        + switch (limit) {
          case EXECUTION, DEADLINE -> "";
          case ATTEMPT -> "for this attempt ";
          case FIRST_ITEM -> "for its first item ";
          case NEXT_ITEM -> "for its next item ";
        }
        + "is "
        + millis(timeoutNanos)
        + " ms, "
        + millis(elapsedNanos)
        + " ms had passed and "
        + missing();
  }

  private String beyondDeadline() {
    if (timeoutNanos <= 0) {
      return " was not begun: the deadline of the call it was made in had passed "
          + millis(-timeoutNanos)
          + " ms before";
    }
    return " came to the deadline of the call it was made in: that had left it "
        + millis(timeoutNanos)
        + " ms, "
        + millis(elapsedNanos)
        + " ms had passed and "
        + missing();
  }

  private String missing() {
    if (!workBegan) {
      return "its work was still waiting for a thread";
    }
    return limit == Limit.FIRST_ITEM || limit == Limit.NEXT_ITEM
        ? "none had come"
        : "its work had not ended";
  }

  /** What came too late. */
  public Limit limit() {
    return limit;
  }

  /**
   * The time the execution had, from the call on; for the item of a stream, from when it was asked
   * for; for one attempt, from when it began. Zero if the deadline of the call it was made in had
   * passed before.
   */
  public Duration timeout() {
    return Duration.ofNanos(Math.max(0, timeoutNanos));
  }

  /** Whether the work had begun; false if it was still waiting for a thread, and so never runs. */
  public boolean workBegan() {
    return workBegan;
  }

  private static String millis(long nanos) {
    long tenths = nanos / 100_000;
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : tenths / 10 + "." + tenths % 10;
  }

  @Override
  public FailureType failureType() {
    return FailureType.TIMED_OUT;
  }
}
