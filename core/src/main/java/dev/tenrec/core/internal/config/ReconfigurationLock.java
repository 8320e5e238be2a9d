// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one thread at a time change settings. A change that arrives while its own thread is at it (a
 * listener has set a property) waits for the end of that turn, so that no thread sees a change half
 * applied.
 */
final class ReconfigurationLock {

  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable catchUp;

  /** Whether there is something to catch up with. Read and written under the lock only. */
  private boolean due;

  ReconfigurationLock(Runnable catchUp) {
    this.catchUp = catchUp;
  }

  /** Runs {@code action}, then catches up if that has become due. */
  <T> T take(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      release();
    }
  }

  /** Catches up: now, or at the end of the turn that is this thread's already. */
  void catchUp() {
    lock.lock();
    due = true;
    release();
  }

  private void release() {
    try {
      while (due && lock.getHoldCount() == 1) {
        due = false;
        catchUp.run();
      }
    } finally {
      lock.unlock();
    }
  }
}
