// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations.internal.metadata;

import java.time.Duration;

/**
 * The properties of a collapser as a tree, from which editors complete them below any key. Nothing
 * implements it.
 */
public interface CollapserKeys {

  Integer getMaxRequestsInBatch();

  /** How many different arguments start a batch before its time. */
  void setMaxRequestsInBatch(Integer value);

  Duration getTimerDelayInMilliseconds();

  /**
   * From a batch's first member to its start. A batch that is open keeps the delay it was opened
   * with.
   */
  void setTimerDelayInMilliseconds(Duration value);

  RequestCache getRequestCache();

  void setRequestCache(RequestCache group);

  Metrics getMetrics();

  void setMetrics(Metrics group);

  interface RequestCache {

    Boolean getEnabled();

    /**
     * Whether the request cache is used. Equal arguments of one batch are asked once either way.
     */
    void setEnabled(Boolean value);
  }

  interface Metrics {

    MetricsRollingStats getRollingStats();

    void setRollingStats(MetricsRollingStats group);

    MetricsRollingPercentile getRollingPercentile();

    void setRollingPercentile(MetricsRollingPercentile group);

    interface MetricsRollingStats {

      Duration getTimeInMilliseconds();

      /** The rolling window of the counts. */
      void setTimeInMilliseconds(Duration value);

      Integer getNumBuckets();

      /** Into how many buckets it is divided. */
      void setNumBuckets(Integer value);
    }

    interface MetricsRollingPercentile {

      Boolean getEnabled();

      /** Whether the distribution of batch sizes is kept. When false, no memory is used for it. */
      void setEnabled(Boolean value);

      Duration getTimeInMilliseconds();

      /** The rolling window of that distribution. */
      void setTimeInMilliseconds(Duration value);

      Integer getNumBuckets();

      /** Into how many buckets it is divided. */
      void setNumBuckets(Integer value);

      Integer getBucketSize();

      /** Known, checked and shown, but without effect. */
      void setBucketSize(Integer value);
    }
  }
}
