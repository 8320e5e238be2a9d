// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * I/O threads: they read requests and begin calls.
 *
 * @param executor what runs on them
 * @param threads to be ended; null if it is the thread that accepts connections
 */
record Readers(Executor executor, @Nullable ExecutorService threads) implements AutoCloseable {

  /** The thread that accepts connections reads too. */
  static final Readers NONE = new Readers(Runnable::run, null);

  /** So many; 0 for none besides the one that accepts. */
  static Readers of(int threads) {
    if (threads == 0) {
      return NONE;
    }
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads,
            work -> {
              Thread thread = new Thread(work, "provider-reader");
              thread.setDaemon(true);
              return thread;
            });
    return new Readers(pool, pool);
  }

  /** What they have been given is still done. */
  @Override
  public void close() {
    if (threads != null) {
      threads.shutdown();
    }
  }
}
