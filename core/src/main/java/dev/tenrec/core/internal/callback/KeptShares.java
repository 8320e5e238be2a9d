// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.core.internal.timeout.Timer;
import dev.tenrec.metrics.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The shares that wait because the system has no thread for them, or no memory; and the node of the
 * timer that has them try again. They are linked by {@link CallbackShare#nextKept}, so keeping one
 * takes no memory. A link is written under the lock of retries, or by the thread that has taken the
 * shares off to try them again, and is read by that thread and the closing one. Thread-safe.
 */
final class KeptShares {

  private final Timer timer;
  private final Ticker ticker;
  private final StartFailure failure;
  private final Object retries = new Object();

  /** Written under the lock of retries, read by any thread. */
  private volatile @Nullable CallbackShare firstKept;

  /** Whether the timer was asked to try. Written and read under the lock of retries. */
  private boolean retryArmed;

  /** Made now: when it is needed there may be no memory. Armed by the thread that set the flag. */
  private final Retry retry = new Retry();

  /**
   * None is kept.
   *
   * @param timer tries again; on the ticker's scale
   * @param failure gets the reason why there was no thread for the timer
   */
  KeptShares(Timer timer, Ticker ticker, StartFailure failure) {
    this.timer = timer;
    this.ticker = ticker;
    this.failure = failure;
  }

  /** Whether none is kept; another thread may keep one at the same time. */
  boolean isEmpty() {
    return firstKept == null;
  }

  /**
   * Has the timer try again, for a share that waits for a thread, or for the memory to ask for one.
   * Takes no memory itself. Called under the share's lock, so no failure is reported here: that
   * would take the lock of the share that logs, which may be waiting for this one.
   */
  void keep(CallbackShare share) {
    synchronized (retries) {
      share.nextKept = firstKept;
      firstKept = share;
      try {
        timer.startThread();
      } catch (Throwable e) { // it is armed all the same, and gets one with the next that tries
        failure.keep(e);
      }
      if (!retryArmed) {
        retryArmed = retry.arm(); // false when all is closed: closing tries
      }
    }
  }

  /**
   * Has the shares that are kept try again. Not under the lock of one.
   *
   * @param later as for {@link CallbackShare#retry}
   */
  void retryAll(boolean later) {
    CallbackShare share;
    synchronized (retries) {
      share = firstKept;
      firstKept = null;
    }
    while (share != null) {
      CallbackShare next = share.nextKept;
      share.nextKept = null;
      share.retry(later);
      share = next;
    }
  }

  /** What waits because the system has no thread ends what callers may wait for. */
  void abortWaiting() {
    for (CallbackShare share = firstKept; share != null; share = share.nextKept) {
      share.abortWaiting();
    }
  }

  /** The timer's node for the next try. */
  private final class Retry extends Timeout {

    private Retry() {
      super(0); // postponed each time
    }

    boolean arm() {
      postpone(ticker.nanoTime() + CallbackExecutor.PATIENCE_NANOS);
      return timer.armWithoutThread(this);
    }

    @Override
    protected boolean isEnded() {
      return false;
    }

    @Override
    protected void expired() {
      synchronized (retries) {
        retryArmed = false;
      }
      try {
        retryAll(true); // what finds no thread once more is kept again, and arms the next try
      } catch (Throwable e) { // it must not, for this may be armed again by now
        failure.keep(e);
      }
    }
  }
}
