// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.engine;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/** A thread for each call, that ends with it. */
final class ThreadEngine implements Engine {

  private final ThreadFactory factory;

  /** Written by the closing thread, read by the firing threads. */
  private volatile boolean closed;

  ThreadEngine(ThreadFactory factory) {
    this.factory = factory;
  }

  @Override
  public void fire(Shot shot) {
    if (closed) {
      shot.drop(new RejectedExecutionException("the load has ended"));
      return;
    }
    try {
      factory.newThread(shot::send).start();
    } catch (OutOfMemoryError noMoreThreads) {
      // the operating system's refusal comes as this error; the heap's own ends the JVM
      shot.drop(noMoreThreads);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
