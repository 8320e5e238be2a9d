// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.metrics;

/** Publishes nothing: what stands where none is registered. */
public final class HystrixMetricsPublisherDefault extends HystrixMetricsPublisher {

  private static final HystrixMetricsPublisherDefault INSTANCE =
      new HystrixMetricsPublisherDefault();

  private HystrixMetricsPublisherDefault() {}

  /** The only one. */
  public static HystrixMetricsPublisher getInstance() {
    return INSTANCE;
  }
}
