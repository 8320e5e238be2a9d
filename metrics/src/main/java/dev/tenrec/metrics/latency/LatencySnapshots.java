// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.latency;

/**
 * Both latencies of one command, at a moment; of the percentile window, empty while percentiles are
 * off.
 *
 * @param execution from the work's start to its end, without what it waited for a thread
 * @param caller from the call to its answer, a fallback included
 */
public record LatencySnapshots(LatencySnapshot execution, LatencySnapshot caller) {

  /** No latency at all. */
  public static final LatencySnapshots EMPTY =
      new LatencySnapshots(LatencySnapshot.EMPTY, LatencySnapshot.EMPTY);
}
