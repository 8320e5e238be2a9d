// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/**
 * Waiting in tests, bounded: what does not come in four minutes, or in the seconds given, fails the
 * test. That is longer than any test waits for what has to come while something hangs, or a lost
 * ending could pass for one that came when the hanging was over.
 */
public final class Uninterruptibly {

  private static final long HANGS_SECONDS = 240;

  private Uninterruptibly() {}

  /** Waits on, whichever thread interrupts; the flag is set afterwards. */
  public static void await(CountDownLatch latch) {
    await(latch, HANGS_SECONDS);
  }

  /** The same for so many seconds at the most. */
  public static void await(CountDownLatch latch, long seconds) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try {
      while (true) {
        try {
          if (!latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("waited for " + seconds + " seconds");
          }
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** For threads that nobody interrupts. */
  public static void await(CyclicBarrier barrier) {
    try {
      barrier.await(HANGS_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Work that hangs until it is interrupted, though not for ever. */
  public static int sleepOrInterrupt() throws InterruptedException {
    if (new CountDownLatch(1).await(HANGS_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("nobody counts it down");
    }
    return -1;
  }
}
