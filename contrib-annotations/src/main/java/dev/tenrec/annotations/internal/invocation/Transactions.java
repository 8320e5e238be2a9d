// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.invocation;

import dev.tenrec.core.config.IsolationStrategy;

/** What commands have to know of a context's transactions. Thread-safe. */
public interface Transactions {

  /** Of a context that has none. */
  Transactions NONE =
      new Transactions() {
        @Override
        public boolean areManaged() {
          return false;
        }

        @Override
        public boolean isActive() {
          return false;
        }

        @Override
        public void left(String key, String how) {}
      };

  /** Whether methods of this context may begin transactions. */
  boolean areManaged();

  /** Whether this thread is within a transaction. */
  boolean isActive();

  /**
   * A call within this thread's transaction goes on outside of it.
   *
   * @param key of the command
   * @param how it leaves the transaction, for the message
   * @throws IllegalStateException if that is refused
   */
  void left(String key, String how);

  /**
   * To be called where an execution begins, on its caller's thread.
   *
   * @param isolation where the command runs at present
   * @throws IllegalStateException if it would leave this thread's transaction, and that is refused
   */
  default void check(String key, IsolationStrategy isolation) {
    if (isolation != IsolationStrategy.SEMAPHORE && isActive()) {
      left(key, onAnotherThread(isolation));
    }
  }

  /** How a command of this isolation leaves its caller's transaction, for the message. */
  static String onAnotherThread(IsolationStrategy isolation) {
    return "runs on another thread (" + isolation + ")";
  }
}
