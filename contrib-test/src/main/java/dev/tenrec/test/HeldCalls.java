// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.test;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Work that hangs until a test lets it go. Made by {@link FaultyCalls#hold}. Thread-safe. */
public final class HeldCalls {

  private final Semaphore arrived = new Semaphore(0);
  private final CountDownLatch gone = new CountDownLatch(1);

  HeldCalls() {}

  void meet() throws InterruptedException {
    arrived.release();
    gone.await();
  }

  /**
   * Waits, at most a minute of real time, until {@code calls} more have come to hang.
   *
   * @param calls beyond those that an earlier wait was for; 1 or more
   * @throws AssertionError if they do not come
   * @throws IllegalStateException if the waiting thread is interrupted, which stays so
   */
  public void await(int calls) {
    try {
      if (!arrived.tryAcquire(calls, Settling.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(
            "waited for " + calls + " calls to hang, and there were " + arrived.availablePermits());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while it waited for calls to hang", e);
    }
  }

  /** Lets those that hang go on with their work, and those that would come. */
  public void release() {
    gone.countDown();
  }
}
