// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.engine;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/** An executor's threads. */
final class PoolEngine implements Engine {

  private final ExecutorService threads;

  /** Written by the closing thread, read by the threads that fire or begin a shot. */
  private volatile boolean closed;

  PoolEngine(ExecutorService threads) {
    this.threads = threads;
  }

  @Override
  public void fire(Shot shot) {
    try {
      threads.execute(() -> begin(shot));
    } catch (RejectedExecutionException ended) {
      shot.drop(ended);
    }
  }

  private void begin(Shot shot) {
    if (closed) {
      shot.drop(new RejectedExecutionException("the load has ended"));
    } else {
      shot.send();
    }
  }

  /** What is queued is run, to be dropped: an interrupt, or its loss, would leave it unreported. */
  @Override
  public void close() {
    closed = true;
    threads.shutdown();
  }
}
