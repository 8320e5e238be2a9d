// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

/**
 * The caller's thread was interrupted: while it waited, or at work that ran on it. The work was
 * cancelled, and the thread's interrupt flag is set.
 *
 * <p>Work that runs on its caller's thread is taken to have been interrupted if it throws an {@link
 * InterruptedException}, which is then the cause of this. One that was made elsewhere, by another
 * thread or before the call, says nothing of the caller: it is a failure as any other. Its stack
 * trace shows where it was made. Where that cannot be seen, as where the work makes the exception
 * itself, the caller counts as interrupted.
 *
 * <p>So it is, too, if that work executes another command and throws on what it gets: a
 * CommandInterruptedException, while the interrupt flag of its own thread is set. Then both
 * commands count a cancellation, no fallback of either is asked, and the cause of this is an {@link
 * InterruptedException} whose cause is the inner command's. One that was brought from another
 * thread, which does not set the flag, is a failure.
 */
public final class CommandInterruptedException extends CommandException {

  private static final long serialVersionUID = 1L;

  /**
   * For the engine: the caller waited.
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

  /**
   * For the engine: the work ran on its caller's thread.
   *
   * @param commandKey which command
   * @param cause what its work threw
   * @param withStackTrace whether to fill in a stack trace
   */
  public CommandInterruptedException(
      String commandKey, InterruptedException cause, boolean withStackTrace) {
    super(
        commandKey,
        commandKey + " was cancelled: its work was interrupted, on its caller's thread",
        cause,
        withStackTrace,
        true);
  }

  @Override
  public FailureType failureType() {
    return FailureType.INTERRUPTED;
  }
}
