// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.contender;

/** A thread that keeps no JVM from ending. */
public final class Daemon extends Thread {

  /** As a thread factory: {@code Daemon::new}. */
  public Daemon(Runnable task) {
    super(task);
    setDaemon(true);
  }

  static void close(AutoCloseable threads) {
    try {
      threads.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot be closed: " + threads, e);
    }
  }
}
