// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.time;

/**
 * Waits for time to pass, on the scale of a {@link Ticker}. These two are all that touches real
 * time, so a test kit that replaces both runs in virtual time.
 *
 * <p>Thread-safe.
 */
public interface Waiter {

  /** A deadline that is never reached: wait until woken. */
  long FOREVER = Long.MAX_VALUE;

  /**
   * Parks the calling thread until {@link #wake} is called for it, it is interrupted, or {@code
   * deadlineNanos} is reached on the ticker's scale. Returns at once if a wake-up is pending. May
   * return for no reason, like {@link java.util.concurrent.locks.LockSupport#park}: the caller
   * looks at its condition again. Never throws, and leaves the interrupt flag as it is.
   *
   * @param deadlineNanos when to stop waiting, or {@link #FOREVER}
   */
  void awaitUntil(long deadlineNanos);

  /** Ends the wait of {@code thread}, or its next one if it is not waiting. */
  void wake(Thread thread);

  /** The waiter of the running JVM, on the scale of {@link Ticker#system()}. */
  static Waiter system() {
    return SystemTime.INSTANCE;
  }
}
