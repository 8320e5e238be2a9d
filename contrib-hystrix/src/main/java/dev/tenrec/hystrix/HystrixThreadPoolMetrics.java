// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.core.Tenrec;
import dev.tenrec.hystrix.util.HystrixRollingNumberEvent;
import dev.tenrec.metrics.view.PoolView;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The counts and gauges of one thread pool, read at the moment they are asked for. */
public final class HystrixThreadPoolMetrics extends HystrixMetrics {

  private final PoolView view;

  private HystrixThreadPoolMetrics(PoolView view) {
    this.view = view;
  }

  /** Those of a pool; null if there is none, as before the first command that runs on it. */
  public static @Nullable HystrixThreadPoolMetrics getInstance(HystrixThreadPoolKey key) {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    return keys == null ? null : of(keys.tenrec, key.name());
  }

  static @Nullable HystrixThreadPoolMetrics of(Tenrec tenrec, String key) {
    return tenrec.pools().stream()
        .filter(view -> view.key().equals(key))
        .findFirst()
        .map(HystrixThreadPoolMetrics::new)
        .orElse(null);
  }

  /** Those of all pools. */
  public static Collection<HystrixThreadPoolMetrics> getInstances() {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    return keys == null
        ? List.of()
        : keys.tenrec.pools().stream().map(HystrixThreadPoolMetrics::new).toList();
  }

  /** The pool. */
  public HystrixThreadPoolKey getThreadPoolKey() {
    return HystrixThreadPoolKey.Factory.asKey(view.key());
  }

  /** Its settings. */
  public HystrixThreadPoolProperties getProperties() {
    return new HystrixThreadPoolProperties(view.key());
  }

  /** Threads at work. */
  public Number getCurrentActiveCount() {
    return view.active();
  }

  /** Executions whose work has stopped. */
  public Number getCurrentCompletedTaskCount() {
    return view.cumulativeCompleted();
  }

  /** Threads that start before anything is queued. */
  public Number getCurrentCorePoolSize() {
    return view.coreSize();
  }

  /** The most threads there ever were. */
  public Number getCurrentLargestPoolSize() {
    return view.largestThreads();
  }

  /** Threads there may be. */
  public Number getCurrentMaximumPoolSize() {
    return view.maximumSize();
  }

  /** Threads there are. */
  public Number getCurrentPoolSize() {
    return view.threads();
  }

  /** Executions taken up, and waiting. */
  public Number getCurrentTaskCount() {
    return view.cumulativeExecuted() + view.queued();
  }

  /** Executions that wait. */
  public Number getCurrentQueueSize() {
    return view.queued();
  }

  /** Executions taken up in the rolling window. */
  public long getRollingCountThreadsExecuted() {
    return view.rollingExecuted();
  }

  /** Executions taken up. */
  public long getCumulativeCountThreadsExecuted() {
    return view.cumulativeExecuted();
  }

  /** Executions that found it full in the rolling window. */
  public long getRollingCountThreadsRejected() {
    return view.rollingRejected();
  }

  /** Executions that found it full. */
  public long getCumulativeCountThreadsRejected() {
    return view.cumulativeRejected();
  }

  /** How often this happened in the rolling window. */
  public long getRollingCount(HystrixEventType.ThreadPool event) {
    return event == HystrixEventType.ThreadPool.EXECUTED
        ? view.rollingExecuted()
        : view.rollingRejected();
  }

  /** How often this happened. */
  public long getCumulativeCount(HystrixEventType.ThreadPool event) {
    return event == HystrixEventType.ThreadPool.EXECUTED
        ? view.cumulativeExecuted()
        : view.cumulativeRejected();
  }

  /** The most threads at work at once in the rolling window. */
  public long getRollingMaxActiveThreads() {
    return view.rollingMaxActive();
  }

  @Override
  public long getRollingCount(HystrixRollingNumberEvent event) {
    return switch (event) {
      case THREAD_EXECUTION -> view.rollingExecuted();
      case THREAD_POOL_REJECTED -> view.rollingRejected();
      case THREAD_MAX_ACTIVE -> view.rollingMaxActive();
      default -> throw new IllegalArgumentException("a thread pool does not count " + event);
    };
  }

  @Override
  public long getCumulativeCount(HystrixRollingNumberEvent event) {
    return switch (event) {
      case THREAD_EXECUTION -> view.cumulativeExecuted();
      case THREAD_POOL_REJECTED -> view.cumulativeRejected();
      case THREAD_MAX_ACTIVE -> view.rollingMaxActive();
      default -> throw new IllegalArgumentException("a thread pool does not count " + event);
    };
  }
}
