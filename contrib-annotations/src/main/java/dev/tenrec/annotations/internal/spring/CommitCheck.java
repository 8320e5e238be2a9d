// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.CommitRefusedException;
import dev.tenrec.annotations.internal.invocation.CurrentCall;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Keeps a transaction that began within a command from being committed after the call has ended. It
 * looks as the last step before the manager commits; a commit that has begun is not stopped.
 */
final class CommitCheck implements TransactionExecutionListener {

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
    if (failure == null) {
      CurrentCall.begun(transaction);
    }
  }

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    String ended = CurrentCall.endedAround(transaction);
    if (ended != null) {
      throw new CommitRefusedException(ended);
    }
  }
}
