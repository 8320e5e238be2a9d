// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.view;

import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.latency.SizeTotals;

/**
 * A collapser, as a publisher reads it. In a live view, each method but the key reads the moment of
 * its call, and two calls are two moments. Thread-safe. Its batches run as a command, which has a
 * {@link CommandView} of its own.
 */
public interface CollapserView {

  /** The collapser's key, which is that of its batch command as well unless code says another. */
  String key();

  /**
   * Batches started in the rolling window: executions of the batch command, so that of a batch in
   * shards each counts.
   */
  long rollingBatches();

  /** Batches started since the collapser was built. */
  long cumulativeBatches();

  /** Calls that the batches of the rolling window were started for. */
  long rollingMembers();

  /** Calls that batches were started for since the collapser was built. */
  long cumulativeMembers();

  /** Calls in the rolling window that the request cache answered, without a batch. */
  long rollingCacheHits();

  /** Calls since the collapser was built that the request cache answered. */
  long cumulativeCacheHits();

  /**
   * How many arguments the batches of the percentile window had. Equal arguments are one, so there
   * may be fewer than members. Empty while percentiles are off.
   */
  SizeSnapshot batchSize();

  /**
   * How many arguments the batches had since the collapser was built; empty while percentiles are
   * off.
   */
  SizeTotals batchSizeTotals();

  /** How many arguments start a batch before its time. */
  int maxRequestsInBatch();

  /** From a batch's first member to its start, in nanoseconds. */
  long timerDelayNanos();

  /** Whether the request cache is used. */
  boolean requestCacheEnabled();

  /** All of this as it is now. */
  CollapserSnapshot snapshot();
}
