// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.metrics;

import dev.tenrec.hystrix.HystrixThreadPoolKey;
import dev.tenrec.hystrix.HystrixThreadPoolMetrics;
import dev.tenrec.hystrix.HystrixThreadPoolProperties;

/** Publishes nothing. */
public class HystrixMetricsPublisherThreadPoolDefault implements HystrixMetricsPublisherThreadPool {

  /** Of this pool. */
  public HystrixMetricsPublisherThreadPoolDefault(
      HystrixThreadPoolKey threadPoolKey,
      HystrixThreadPoolMetrics metrics,
      HystrixThreadPoolProperties properties) {}

  @Override
  public void initialize() {}
}
