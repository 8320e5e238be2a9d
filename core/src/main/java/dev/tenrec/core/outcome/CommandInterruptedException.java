// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

/**
 * The thread that waited in {@code execute} was interrupted. Its work was cancelled, and its
 * interrupt flag is set.
 */
public final class CommandInterruptedException extends CommandException {

  private static final long serialVersionUID = 1L;

  /**
   * For the engine.
   *
   * @param commandKey which command
   * @param withStackTrace whether to fill in a stack trace
   */
  public CommandInterruptedException(String commandKey, boolean withStackTrace) {
    super(
        commandKey,
        commandKey + " was cancelled: the thread waiting for it was interrupted",
        null,
        withStackTrace,
        true);
  }
}
