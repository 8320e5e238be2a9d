// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import org.jspecify.annotations.Nullable;

/**
 * The work returned, but its result is one that the command was built to count as a failure. The
 * message has its type and size; itself is to be had by {@link #result}.
 */
public final class FailedResultException extends CommandException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Object result;

  /**
   * For the engine.
   *
   * @param commandKey which command
   * @param result what the work returned
   * @param withStackTrace whether to fill in a stack trace
   */
  public FailedResultException(String commandKey, @Nullable Object result, boolean withStackTrace) {
    super(commandKey, "", null, withStackTrace, true); // the words are made when they are asked for
    this.result = result;
  }

  /**
   * A copy of this exception, for the engine: this one was handed to the fallback.
   *
   * @param fallbackError what became of the call's fallback, to be attached as suppressed
   * @param withStackTrace whether to take over the stack trace
   */
  public FailedResultException fresh(Throwable fallbackError, boolean withStackTrace) {
    FailedResultException mine = new FailedResultException(commandKey(), result, withStackTrace);
    if (withStackTrace) {
      mine.setStackTrace(getStackTrace());
    }
    mine.addSuppressed(fallbackError);
    return mine;
  }

  @Override
  public String getMessage() {
    return commandKey() + " returned a result that counts as a failure: " + Described.value(result);
  }

  /** What the work returned; null if that was null, or after serialisation. */
  public @Nullable Object result() {
    return result;
  }
}
