// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import org.jspecify.annotations.Nullable;

/**
 * What Tenrec itself has to say about a call that got no answer from its work: refused, timed out,
 * interrupted. The message names the command, the limit and the actual value.
 *
 * <p>Without a stack trace unless the command asks for it: the trace would show where Tenrec
 * noticed, which the message says already, and filling it in costs more than the whole call.
 */
public abstract class CommandException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Which command it was. */
  private final String commandKey;

  /**
   * @param commandKey which command it was
   * @param message what happened, with limit and actual value
   * @param cause what caused it, or null; it cannot be set later
   * @param withStackTrace whether to fill in the stack trace
   * @param suppressionEnabled false for an exception that several calls share, which nothing may
   *     change
   */
  protected CommandException(
      String commandKey,
      String message,
      @Nullable Throwable cause,
      boolean withStackTrace,
      boolean suppressionEnabled) {
    super(message, cause, suppressionEnabled, withStackTrace);
    this.commandKey = commandKey;
  }

  /** The key of the command that was called. */
  public String commandKey() {
    return commandKey;
  }

  /** Why there was no answer: one word for what the class and its fields say in full. */
  public FailureType failureType() {
    return FailureType.FAILED;
  }
}
