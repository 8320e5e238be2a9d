// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import dev.tenrec.annotations.CommitRefusedException;
import dev.tenrec.annotations.internal.invocation.CurrentCall;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps a transaction that began within a command from being committed after the call has ended. It
 * looks as the last step before the manager commits; a commit that has begun is not stopped.
 */
final class CommitCheck implements TransactionExecutionListener {

  /** One for all contexts: a manager that several of them see has it once. */
  static final CommitCheck INSTANCE = new CommitCheck();

  private CommitCheck() {}

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
    if (failure != null) {
      return;
    }
    CurrentCall.begun(transaction);
    if (transaction instanceof TransactionStatus
        && TransactionSynchronizationManager.isSynchronizationActive()) { // not a reactive one
      TransactionSynchronizationManager.registerSynchronization(new AfterCommit());
    }
  }

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    String ended = CurrentCall.endedAround(transaction);
    if (ended != null) {
      throw new CommitRefusedException(ended);
    }
  }

  @Override
  public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
    CurrentCall.ended(transaction);
  }

  @Override
  public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
    CurrentCall.ended(transaction);
  }
}
