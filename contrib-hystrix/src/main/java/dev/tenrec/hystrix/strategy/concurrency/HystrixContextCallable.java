// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import dev.tenrec.hystrix.strategy.HystrixPlugins;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A task that is at the request of the thread that made this, on whichever thread runs it.
 *
 * @param <K> what it returns
 */
public class HystrixContextCallable<K extends @Nullable Object> implements Callable<K> {

  private final @Nullable HystrixRequestContext context;
  private final Callable<K> task;

  /** The task, at this thread's request, wrapped by the strategy that is registered. */
  public HystrixContextCallable(Callable<K> task) {
    this(HystrixPlugins.getInstance().getConcurrencyStrategy(), task);
  }

  /** The task, at this thread's request, wrapped by this strategy. */
  public HystrixContextCallable(HystrixConcurrencyStrategy strategy, Callable<K> task) {
    this.context = HystrixRequestContext.getContextForCurrentThread();
    this.task = strategy.wrapCallable(task);
  }

  @Override
  public K call() throws Exception {
    HystrixRequestContext before = HystrixRequestContext.getContextForCurrentThread();
    HystrixRequestContext.setContextOnCurrentThread(context);
    try {
      return task.call();
    } finally {
      HystrixRequestContext.setContextOnCurrentThread(before);
    }
  }
}
