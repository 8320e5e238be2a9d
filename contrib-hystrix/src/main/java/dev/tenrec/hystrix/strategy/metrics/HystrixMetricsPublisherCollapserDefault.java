// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.metrics;

import dev.tenrec.hystrix.HystrixCollapserKey;
import dev.tenrec.hystrix.HystrixCollapserMetrics;
import dev.tenrec.hystrix.HystrixCollapserProperties;

/** Publishes nothing. */
public class HystrixMetricsPublisherCollapserDefault implements HystrixMetricsPublisherCollapser {

  /** Of this collapser. */
  public HystrixMetricsPublisherCollapserDefault(
      HystrixCollapserKey collapserKey,
      HystrixCollapserMetrics metrics,
      HystrixCollapserProperties properties) {}

  @Override
  public void initialize() {}
}
