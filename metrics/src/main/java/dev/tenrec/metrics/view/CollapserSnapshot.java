// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.view;

import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.latency.SizeTotals;

/**
 * A {@link CollapserView} that has stopped. Its numbers were read in sequence, while batches went
 * on: a batch may be in one number and not yet in the next.
 *
 * @param key see {@link CollapserView#key()}, and so for each
 * @param rollingBatches batches started in the rolling window
 * @param cumulativeBatches batches started since it was built
 * @param rollingMembers calls in the batches of the rolling window
 * @param cumulativeMembers calls in batches since it was built
 * @param rollingCacheHits calls in the rolling window that the request cache answered
 * @param cumulativeCacheHits calls that the request cache answered since it was built
 * @param batchSize how many arguments batches had
 * @param batchSizeTotals how many they had since it was built
 * @param maxRequestsInBatch how many arguments start a batch before its time
 * @param timerDelayNanos from a batch's first member to its start
 * @param requestCacheEnabled whether the request cache was used
 */
public record CollapserSnapshot(
    String key,
    long rollingBatches,
    long cumulativeBatches,
    long rollingMembers,
    long cumulativeMembers,
    long rollingCacheHits,
    long cumulativeCacheHits,
    SizeSnapshot batchSize,
    SizeTotals batchSizeTotals,
    int maxRequestsInBatch,
    long timerDelayNanos,
    boolean requestCacheEnabled)
    implements CollapserView {

  /** This snapshot. */
  @Override
  public CollapserSnapshot snapshot() {
    return this;
  }
}
