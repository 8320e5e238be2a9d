// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.util.HystrixRollingNumberEvent;

/** Counts, by event. */
public abstract sealed class HystrixMetrics
    permits HystrixCommandMetrics, HystrixThreadPoolMetrics, HystrixCollapserMetrics {

  HystrixMetrics() {}

  /** Since the key is known. */
  public abstract long getCumulativeCount(HystrixRollingNumberEvent event);

  /** In the rolling window, up to now. */
  public abstract long getRollingCount(HystrixRollingNumberEvent event);
}
