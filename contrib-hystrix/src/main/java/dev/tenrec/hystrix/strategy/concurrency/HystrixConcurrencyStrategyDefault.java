// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.strategy.concurrency;

/** The one {@link HystrixConcurrencyStrategy}. */
public final class HystrixConcurrencyStrategyDefault {

  private HystrixConcurrencyStrategyDefault() {}

  /** It. */
  public static HystrixConcurrencyStrategy getInstance() {
    return HystrixConcurrencyStrategy.ONLY;
  }
}
