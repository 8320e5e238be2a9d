// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config.archaius;

import dev.tenrec.metrics.time.Ticker;
import dev.tenrec.metrics.time.Waiter;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task again and again on a thread of its own; the task says after how long the next time is
 * due.
 */
final class Poller implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Poller.class);

  private final Supplier<Duration> task;
  private final Duration whenFailed;
  private final Ticker ticker;
  private final Waiter waiter;

  /** Written once by the closing thread, read by the polling thread, ordered by volatile access. */
  private volatile boolean closed;

  /** Written once, before another thread has the poller. */
  private @Nullable Thread thread;

  private Poller(Supplier<Duration> task, Duration whenFailed, Ticker ticker, Waiter waiter) {
    this.task = task;
    this.whenFailed = whenFailed;
    this.ticker = ticker;
    this.waiter = waiter;
  }

  /**
   * Starts the thread.
   *
   * @param task what to do; first {@code first} from now
   * @param first also how long to wait after the task has thrown
   */
  static Poller start(
      Supplier<Duration> task,
      Duration first,
      Ticker ticker,
      Waiter waiter,
      ThreadFactory threads) {
    Poller poller = new Poller(task, first, ticker, waiter);
    try {
      Thread thread = threads.newThread(poller::run);
      poller.thread = thread;
      thread.start();
      return poller;
    } catch (RuntimeException | Error e) {
      poller.close(); // the factory may have started it, or another one
      throw e;
    }
  }

  /** The task is not started again. Does not wait for it to end. */
  @Override
  public void close() {
    closed = true;
    if (thread != null) {
      waiter.wake(thread);
    }
  }

  private void run() {
    long dueNanos = ticker.nanoTime() + whenFailed.toNanos();
    while (!closed) {
      long nowNanos = ticker.nanoTime();
      if (nowNanos - dueNanos >= 0) {
        dueNanos = nowNanos + runTask().toNanos();
      } else {
        waiter.awaitUntil(dueNanos);
        if (Thread.interrupted()) {
          LOG.debug("Interrupted; settings are still looked at until their source is closed");
        }
      }
    }
  }

  private Duration runTask() {
    try {
      return task.get();
    } catch (RuntimeException | Error thrown) {
      LOG.error("Looking for changed settings failed; tried again in {}", whenFailed, thrown);
      return whenFailed;
    }
  }
}
