// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.metadata;

import java.time.Duration;

/**
 * The properties of a thread pool as a tree, from which editors complete them below any key.
 * Nothing implements it.
 */
public interface PoolKeys {

  Integer getCoreSize();

  /** Threads that are started before anything is queued, and stay. */
  void setCoreSize(Integer value);

  Integer getMaximumSize();

  /** Threads in all; counts only with the next property. */
  void setMaximumSize(Integer value);

  Boolean getAllowMaximumSizeToDivergeFromCoreSize();

  /** Whether maximumSize counts. If not, coreSize is the maximum. */
  void setAllowMaximumSizeToDivergeFromCoreSize(Boolean value);

  Duration getKeepAliveTimeMinutes();

  /** How long a thread beyond coreSize stays idle before it ends. */
  void setKeepAliveTimeMinutes(Duration value);

  Integer getMaxQueueSize();

  /** How many executions may wait. 0 and -1 both mean none. */
  void setMaxQueueSize(Integer value);

  Integer getQueueSizeRejectionThreshold();

  /**
   * How many waiting executions make a pool refuse that is at its maximum. The smaller of the two
   * bounds the queue.
   */
  void setQueueSizeRejectionThreshold(Integer value);

  Metrics getMetrics();

  void setMetrics(Metrics group);

  interface Metrics {

    MetricsRollingStats getRollingStats();

    void setRollingStats(MetricsRollingStats group);

    interface MetricsRollingStats {

      Duration getTimeInMilliseconds();

      /** The rolling window of the pool's counts. */
      void setTimeInMilliseconds(Duration value);

      Integer getNumBuckets();

      /** Into how many buckets it is divided. */
      void setNumBuckets(Integer value);
    }
  }
}
