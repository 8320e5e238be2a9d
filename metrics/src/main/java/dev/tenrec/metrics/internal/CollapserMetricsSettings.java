// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

/**
 * How a collapser's metrics are kept. Each window has to divide into its buckets.
 *
 * @param rollingWindowNanos length of the window of counts; {@code
 *     metrics.rollingStats.timeInMilliseconds}
 * @param rollingBuckets how many buckets it has; {@code metrics.rollingStats.numBuckets}
 * @param percentileEnabled whether batch sizes are kept; {@code metrics.rollingPercentile.enabled}
 * @param percentileWindowNanos length of the window of batch sizes; {@code
 *     metrics.rollingPercentile.timeInMilliseconds}
 * @param percentileBuckets how many buckets it has; {@code metrics.rollingPercentile.numBuckets}
 */
public record CollapserMetricsSettings(
    long rollingWindowNanos,
    int rollingBuckets,
    boolean percentileEnabled,
    long percentileWindowNanos,
    int percentileBuckets) {}
