// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.metrics;

import dev.tenrec.hystrix.HystrixCircuitBreaker;
import dev.tenrec.hystrix.HystrixCommandGroupKey;
import dev.tenrec.hystrix.HystrixCommandKey;
import dev.tenrec.hystrix.HystrixCommandMetrics;
import dev.tenrec.hystrix.HystrixCommandProperties;

/** Publishes nothing. */
public class HystrixMetricsPublisherCommandDefault implements HystrixMetricsPublisherCommand {

  /** Of this command. */
  public HystrixMetricsPublisherCommandDefault(
      HystrixCommandKey commandKey,
      HystrixCommandGroupKey commandGroupKey,
      HystrixCommandMetrics metrics,
      HystrixCircuitBreaker circuitBreaker,
      HystrixCommandProperties properties) {}

  @Override
  public void initialize() {}
}
