// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.util.HystrixRollingNumberEvent;
import dev.tenrec.metrics.view.CollapserView;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The counts of one collapser, read at the moment they are asked for. */
public final class HystrixCollapserMetrics extends HystrixMetrics {

  private final HystrixCollapserKey key;
  private final CollapserView view;

  HystrixCollapserMetrics(HystrixCollapserKey key, CollapserView view) {
    this.key = key;
    this.view = view;
  }

  /** Those of a collapser; null if no instance of it was made yet. */
  public static @Nullable HystrixCollapserMetrics getInstance(HystrixCollapserKey key) {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    KnownCollapser known = keys == null ? null : keys.collapsers.get(key.name());
    return known == null ? null : known.metrics;
  }

  /** Those of all collapsers. */
  public static Collection<HystrixCollapserMetrics> getInstances() {
    KnownKeys keys = HystrixTenrec.knownIfAny();
    return keys == null
        ? List.of()
        : keys.collapsers.values().stream().map(collapser -> collapser.metrics).toList();
  }

  /** The collapser. */
  public HystrixCollapserKey getCollapserKey() {
    return key;
  }

  /** Its settings. */
  public HystrixCollapserProperties getProperties() {
    return new HystrixCollapserProperties(key.name());
  }

  /** How often this happened in the rolling window. */
  public long getRollingCount(HystrixEventType.Collapser event) {
    return switch (event) {
      case BATCH_EXECUTED -> view.rollingBatches();
      case ADDED_TO_BATCH -> view.rollingMembers();
      case RESPONSE_FROM_CACHE -> view.rollingCacheHits();
    };
  }

  /** How often this happened. */
  public long getCumulativeCount(HystrixEventType.Collapser event) {
    return switch (event) {
      case BATCH_EXECUTED -> view.cumulativeBatches();
      case ADDED_TO_BATCH -> view.cumulativeMembers();
      case RESPONSE_FROM_CACHE -> view.cumulativeCacheHits();
    };
  }

  @Override
  public long getRollingCount(HystrixRollingNumberEvent event) {
    return getRollingCount(HystrixEventType.Collapser.from(event));
  }

  @Override
  public long getCumulativeCount(HystrixRollingNumberEvent event) {
    return getCumulativeCount(HystrixEventType.Collapser.from(event));
  }

  /** How many arguments batches had. */
  public int getBatchSizePercentile(double percentile) {
    return Math.toIntExact(view.batchSize().valueAtPercentile(percentile));
  }

  /** How many arguments batches had. */
  public int getBatchSizeMean() {
    return (int) view.batchSize().mean();
  }
}
