// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes daemon threads with numbered names, which take nothing over from the thread that happens to
 * need the first one.
 */
final class PlainDaemonThreads implements ThreadFactory {

  private final String prefix;

  /** Counted up by the threads that make a thread. */
  private final AtomicInteger made = new AtomicInteger();

  /**
   * @param prefix of the names; a dash and a number follow
   */
  PlainDaemonThreads(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public Thread newThread(Runnable task) {
    // no inherited thread-locals, no caller's class loader: both would outlive the application that
    // called first
    Thread thread = new Thread(null, task, prefix + "-" + made.incrementAndGet(), 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(PlainDaemonThreads.class.getClassLoader());
    return thread;
  }
}
