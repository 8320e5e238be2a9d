// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import dev.tenrec.core.internal.text.LogText;
import dev.tenrec.core.internal.timeout.Timer.FailureListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what failed inside the engine, on a thread of its own share: a logger may block or throw,
 * and neither the timer's thread nor a call's may wait for it. One failure at a time; those that
 * come while one is being logged are only counted.
 */
public final class FailureLog implements FailureListener {

  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  private final CallbackShare callbacks;

  /** Set by the thread that reports, cleared by the thread that has logged. */
  private final AtomicBoolean pending = new AtomicBoolean();

  /** Raised by threads that found a report pending, taken by the thread that logs. */
  private final AtomicLong dropped = new AtomicLong();

  /** Logs in this share. */
  public FailureLog(CallbackShare callbacks) {
    this.callbacks = callbacks;
  }

  @Override
  public void failed(String what, Throwable thrown) {
    if (!pending.compareAndSet(false, true)) {
      dropped.getAndIncrement();
      return;
    }
    boolean brought = false;
    try {
      callbacks.execute(CallbackTask.of(() -> log(what, thrown)));
      brought = true;
    } finally {
      if (!brought) {
        pending.set(false);
      }
    }
  }

  private void log(String what, Throwable thrown) {
    try {
      LOG.error(
          "{}; {} other failures since the last one that was logged",
          LogText.of(what),
          dropped.getAndSet(0),
          thrown);
    } finally {
      pending.set(false);
    }
  }
}
