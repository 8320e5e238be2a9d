// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.metrics;

/** Publishes the metrics of one command. Made by {@link HystrixMetricsPublisher}. */
public interface HystrixMetricsPublisherCommand {

  /** Begins to publish. Called once, on the thread of the command's first instance. */
  void initialize();
}
