// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

import dev.tenrec.hystrix.strategy.HystrixPlugins;
import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.disposables.Disposable;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler whose tasks are at the request of the thread that scheduled them: for operators after
 * {@code observeOn} and {@code subscribeOn}.
 */
public class HystrixContextScheduler extends Scheduler {

  private final HystrixConcurrencyStrategy strategy;
  private final Scheduler actual;

  /** The tasks run on this one, wrapped by the strategy that is registered. */
  public HystrixContextScheduler(Scheduler scheduler) {
    this(HystrixPlugins.getInstance().getConcurrencyStrategy(), scheduler);
  }

  /** The tasks run on this one, wrapped by this strategy. */
  public HystrixContextScheduler(HystrixConcurrencyStrategy strategy, Scheduler scheduler) {
    this.strategy = Objects.requireNonNull(strategy, "strategy");
    this.actual = Objects.requireNonNull(scheduler, "scheduler");
  }

  @Override
  public long now(TimeUnit unit) {
    return actual.now(unit);
  }

  @Override
  public Worker createWorker() {
    return new RequestWorker(strategy, actual.createWorker());
  }

  @Override
  public void start() {
    actual.start();
  }

  @Override
  public void shutdown() {
    actual.shutdown();
  }

  /** Wraps each task where it is scheduled. */
  private static final class RequestWorker extends Worker {

    private final HystrixConcurrencyStrategy strategy;
    private final Worker actual;

    RequestWorker(HystrixConcurrencyStrategy strategy, Worker actual) {
      this.strategy = strategy;
      this.actual = actual;
    }

    @Override
    public Disposable schedule(Runnable task) {
      return actual.schedule(new HystrixContextRunnable(strategy, task));
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      return actual.schedule(new HystrixContextRunnable(strategy, task), delay, unit);
    }

    @Override
    public long now(TimeUnit unit) {
      return actual.now(unit);
    }

    @Override
    public void dispose() {
      actual.dispose();
    }

    @Override
    public boolean isDisposed() {
      return actual.isDisposed();
    }
  }
}
