// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

/**
 * Carries a checked exception out of {@code execute}; {@link #getCause} is the exception the work
 * threw, with its own stack trace.
 */
public final class CommandFailedException extends CommandException {

  private static final long serialVersionUID = 1L;

  /**
   * For the engine.
   *
   * @param commandKey which command
   * @param cause what the work threw
   */
  public CommandFailedException(String commandKey, Throwable cause) {
    super(commandKey, commandKey + " failed: " + Described.thrown(cause), cause, false, true);
  }
}
