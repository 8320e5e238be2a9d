// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import org.jspecify.annotations.Nullable;

/**
 * The batch came back, but without an answer for this argument, of which the message has type and
 * size; itself is to be had by {@link #argument}.
 */
public final class MissingAnswerException extends CommandException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Object argument;
  private final int batchSize;

  /**
   * For the engine.
   *
   * @param collapserKey which collapser
   * @param argument what was asked for
   * @param batchSize how many arguments the batch had
   */
  public MissingAnswerException(String collapserKey, @Nullable Object argument, int batchSize) {
    super(collapserKey, "", null, false, true); // the words are made when they are asked for
    this.argument = Described.original(argument);
    this.batchSize = batchSize;
  }

  @Override
  public String getMessage() {
    return commandKey()
        + ": its batch of "
        + batchSize
        + " brought no answer for an argument ("
        + Described.value(argument)
        + ")"
        + "; an answer for each argument was expected, null being a legal one";
  }

  /** What was asked for; null if that was null, or after serialisation. */
  public @Nullable Object argument() {
    return argument;
  }

  /** How many arguments the batch had. */
  public int batchSize() {
    return batchSize;
  }
}
