// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Knows of a transaction of this thread that it has been committed, while others' callbacks after
 * the commit run: for those Spring calls it active as before. Used by one thread.
 */
final class AfterCommit implements TransactionSynchronization {

  /** Whether the transaction that this thread is bound to has been committed. */
  private static final ThreadLocal<@Nullable Boolean> COMMITTED = new ThreadLocal<>();

  private boolean committed;

  /** Whether this thread is in such a callback, and not in a further transaction within it. */
  static boolean isNow() {
    return COMMITTED.get() != null;
  }

  /** Before all others. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public void afterCommit() {
    committed = true;
    COMMITTED.set(true);
  }

  /** Another transaction begins within the callback. */
  @Override
  public void suspend() {
    COMMITTED.remove();
  }

  @Override
  public void resume() {
    if (committed) {
      COMMITTED.set(true);
    }
  }

  @Override
  public void afterCompletion(int status) {
    COMMITTED.remove();
  }
}
