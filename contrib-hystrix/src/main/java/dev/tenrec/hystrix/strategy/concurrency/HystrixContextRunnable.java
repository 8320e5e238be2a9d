// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import org.jspecify.annotations.Nullable;

/** A task that is at the request of the thread that made this, on whichever thread runs it. */
public class HystrixContextRunnable implements Runnable {

  private final @Nullable HystrixRequestContext context;
  private final Runnable task;

  /** The task, at this thread's request. */
  public HystrixContextRunnable(Runnable task) {
    this.context = HystrixRequestContext.getContextForCurrentThread();
    this.task = task;
  }

  /** The task, at this thread's request. */
  public HystrixContextRunnable(HystrixConcurrencyStrategy strategy, Runnable task) {
    this(task);
  }

  @Override
  public void run() {
    HystrixRequestContext before = HystrixRequestContext.getContextForCurrentThread();
    HystrixRequestContext.setContextOnCurrentThread(context);
    try {
      task.run();
    } finally {
      HystrixRequestContext.setContextOnCurrentThread(before);
    }
  }
}
