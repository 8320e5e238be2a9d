// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

/**
 * The time a thread of ours spends in the fallback of one execution, in which it may be interrupted
 * for that; an interrupt cannot hit what the thread does next.
 */
final class FallbackThread {

  private final Thread thread = Thread.currentThread();

  // Guarded by the lock of this object, which no user has.
  private boolean over;
  private boolean interrupted;

  synchronized void interrupt() {
    if (!over) {
      interrupted = true;
      thread.interrupt();
    }
  }

  /** On the thread: clears an interrupt that was meant for the fallback. */
  synchronized void end() {
    over = true;
    if (interrupted) {
      boolean unused = Thread.interrupted();
    }
  }
}
