// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import org.jspecify.annotations.Nullable;

/** The work returned, but its result is one that the command was told to count as a failure. */
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

  @Override
  public String getMessage() {
    return commandKey() + " returned a result that counts as a failure: " + result;
  }

  /** What the work returned; null if that was null, or after serialisation. */
  public @Nullable Object result() {
    return result;
  }
}
