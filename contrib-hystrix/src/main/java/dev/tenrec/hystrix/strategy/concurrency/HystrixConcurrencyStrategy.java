// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

/**
 * Stands where signatures name it. There is one, {@link HystrixConcurrencyStrategyDefault}: pools
 * and queues are Tenrec's own, and thread-bound context is carried by a {@link
 * dev.tenrec.core.context.ContextPropagator}.
 */
public final class HystrixConcurrencyStrategy {

  static final HystrixConcurrencyStrategy ONLY = new HystrixConcurrencyStrategy();

  private HystrixConcurrencyStrategy() {}
}
