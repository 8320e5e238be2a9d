// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.metrics;

import dev.tenrec.hystrix.HystrixCircuitBreaker;
import dev.tenrec.hystrix.HystrixCollapserKey;
import dev.tenrec.hystrix.HystrixCollapserMetrics;
import dev.tenrec.hystrix.HystrixCollapserProperties;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixCommandKey;
import dev.tenrec.hystrix.HystrixCommandMetrics;
import dev.tenrec.hystrix.HystrixCommandProperties;
import dev.tenrec.hystrix.HystrixThreadPoolKey;
import dev.tenrec.hystrix.HystrixThreadPoolMetrics;
import dev.tenrec.hystrix.HystrixThreadPoolProperties;

/**
 * Makes what publishes the metrics of each command, pool and collapser; override what is of
 * interest. Registered with {@link
 * dev.tenrec.hystrix.strategy.HystrixPlugins#registerMetricsPublisher}, before the first instance
 * of what is to be published. Thread-safe.
 *
 * <p>Each is asked for once for a key, and again after {@code Hystrix.reset()}; it is initialized
 * at once. What it throws is logged, and changes nothing. It reads what it was given whenever it
 * likes, from any thread.
 */
public abstract class HystrixMetricsPublisher {

  /** One that publishes nothing yet. */
  protected HystrixMetricsPublisher() {}

  /** For a command, when its first instance is made. */
  public HystrixMetricsPublisherCommand getMetricsPublisherForCommand(
      HystrixCommandKey commandKey,
      HystrixCommandGroupKey commandGroupKey,
      HystrixCommandMetrics metrics,
      HystrixCircuitBreaker circuitBreaker,
      HystrixCommandProperties properties) {
    return new HystrixMetricsPublisherCommandDefault(
        commandKey, commandGroupKey, metrics, circuitBreaker, properties);
  }

  /** For a pool, when the first instance of a command is made that runs on it. */
  public HystrixMetricsPublisherThreadPool getMetricsPublisherForThreadPool(
      HystrixThreadPoolKey threadPoolKey,
      HystrixThreadPoolMetrics metrics,
      HystrixThreadPoolProperties properties) {
    return new HystrixMetricsPublisherThreadPoolDefault(threadPoolKey, metrics, properties);
  }

  /** For a collapser, at its first call. */
  public HystrixMetricsPublisherCollapser getMetricsPublisherForCollapser(
      HystrixCollapserKey collapserKey,
      HystrixCollapserMetrics metrics,
      HystrixCollapserProperties properties) {
    return new HystrixMetricsPublisherCollapserDefault(collapserKey, metrics, properties);
  }
}
