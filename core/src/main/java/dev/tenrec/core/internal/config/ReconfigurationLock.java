// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Lets one thread at a time change settings. A change that arrives while its own thread is at it
 * waits until it is released, so that no thread sees a change half applied.
 *
 * <p>Loggers and listeners may block, so they run once the lock is released, in the order of the
 * changes and one at a time: on the thread that had it, or on one that is at the reports when they
 * come; the thread that had it waits until they have run. A listener that changes something is
 * notified of that when it has returned.
 */
final class ReconfigurationLock {

  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable catchUp;

  /** Whether there is something to catch up with. Read and written under the lock only. */
  private boolean due;

  /** Whether its holder has something to report. Read and written under the lock only. */
  private boolean reportDue;

  /** Held by the thread that reports. Never waited for with the other lock. */
  private final ReentrantLock reporting = new ReentrantLock();

  /** Added to under the lock, taken from by the thread that reports. */
  private final Queue<Runnable> reports = new ConcurrentLinkedQueue<>();

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

  /** Under the lock: runs {@code report}, which is user code, once it is released. */
  void afterwards(Runnable report) {
    reports.add(report);
    reportDue = true;
  }

  /** Catches up: now, or before this thread releases the lock that it has already. */
  void catchUp() {
    lock.lock();
    due = true;
    release();
  }

  private void release() {
    boolean report = false;
    try {
      while (due && lock.getHoldCount() == 1) {
        due = false;
        catchUp.run();
      }
    } finally {
      if (lock.getHoldCount() == 1) {
        report = reportDue;
        reportDue = false;
      }
      lock.unlock();
    }
    if (report) {
      report();
    }
  }

  /**
   * On the thread that has released the lock; inside of a report, what is due waits for its end.
   */
  private void report() {
    if (reporting.isHeldByCurrentThread()) {
      return;
    }
    reporting.lock();
    try {
      for (Runnable next = reports.poll(); next != null; next = reports.poll()) {
        runGuarded(next);
      }
    } finally {
      reporting.unlock();
    }
  }

  private static void runGuarded(Runnable report) {
    try {
      report.run();
    } catch (Throwable thrown) { // a logger: the others are to be reported all the same
      return;
    }
  }
}
