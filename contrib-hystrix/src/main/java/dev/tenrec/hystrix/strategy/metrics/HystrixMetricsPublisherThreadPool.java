// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.metrics;

/** Publishes the metrics of one thread pool. Made by {@link HystrixMetricsPublisher}. */
public interface HystrixMetricsPublisherThreadPool {

  /**
   * Begins to publish. Called once, on the thread of the first instance of a command that runs on
   * it.
   */
  void initialize();
}
