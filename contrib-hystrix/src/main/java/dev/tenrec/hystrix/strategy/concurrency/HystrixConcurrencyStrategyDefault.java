// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

/** The strategy that wraps nothing: it is in force while no other is registered. */
public final class HystrixConcurrencyStrategyDefault extends HystrixConcurrencyStrategy {

  private static final HystrixConcurrencyStrategyDefault ONLY =
      new HystrixConcurrencyStrategyDefault();

  private HystrixConcurrencyStrategyDefault() {}

  /** It. */
  public static HystrixConcurrencyStrategy getInstance() {
    return ONLY;
  }
}
