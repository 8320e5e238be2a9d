// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import dev.tenrec.metrics.PatientWaits;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/**
 * Waiting in tests, bounded: what does not come in {@link #HANGS_SECONDS} fails the test. That is
 * longer than any test waits for what has to come while something hangs, or a lost ending could
 * pass for one that came when the hanging was over.
 */
public final class Uninterruptibly {

  /** How long something hangs at the most: a minute more than anything is waited for. */
  public static final long HANGS_SECONDS = PatientWaits.MOST_SECONDS + 60;

  private Uninterruptibly() {}

  /** Waits on, whichever thread interrupts; the flag is set afterwards. */
  public static void await(CountDownLatch latch) {
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANGS_SECONDS);
    try {
      while (true) {
        try {
          if (!latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw new AssertionError("waited for " + HANGS_SECONDS + " seconds");
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
