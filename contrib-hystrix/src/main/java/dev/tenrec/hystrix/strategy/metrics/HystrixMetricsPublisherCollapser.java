// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.metrics;

/** Publishes the metrics of one collapser. Made by {@link HystrixMetricsPublisher}. */
public interface HystrixMetricsPublisherCollapser {

  /** Begins to publish. Called once, on the thread of its first call. */
  void initialize();
}
