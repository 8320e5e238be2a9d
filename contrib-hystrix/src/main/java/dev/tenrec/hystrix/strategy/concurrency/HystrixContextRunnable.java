// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import dev.tenrec.hystrix.strategy.HystrixPlugins;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A task that is at the request of the thread that made this, on whichever thread runs it. */
public class HystrixContextRunnable implements Runnable {

  private final Callable<@Nullable Object> task;

  /** The task, at this thread's request, wrapped by the strategy that is registered. */
  public HystrixContextRunnable(Runnable task) {
    this(HystrixPlugins.getInstance().getConcurrencyStrategy(), task);
  }

  /** The task, at this thread's request, wrapped by this strategy. */
  public HystrixContextRunnable(HystrixConcurrencyStrategy strategy, Runnable task) {
    this.task =
        new HystrixContextCallable<>(
            strategy,
            () -> {
              task.run();
              return null;
            });
  }

  /**
   * Runs the task.
   *
   * @throws IllegalStateException if the strategy's wrapper throws a checked exception
   */
  @Override
  public void run() {
    try {
      Object unused = task.call();
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Exception thrown) {
      throw new IllegalStateException(thrown);
    }
  }
}
