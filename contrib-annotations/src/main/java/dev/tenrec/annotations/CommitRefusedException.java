// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

/**
 * A transaction that began within a command was rolled back instead of committed, for the call had
 * ended before: it was answered without this work, or its deadline had passed. Thrown on the thread
 * of the work, where the transaction was to be committed.
 *
 * <p>Not one of Spring's {@code TransactionException}s: after those a manager may leave the
 * transaction as it is, after others it rolls back.
 */
public final class CommitRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * For the check before the commit.
   *
   * @param commandKey of the call that has ended
   */
  public CommitRefusedException(String commandKey) {
    super(
        "the transaction is rolled back: the call of "
            + commandKey
            + " within which it began has ended, or is past its deadline");
  }
}
