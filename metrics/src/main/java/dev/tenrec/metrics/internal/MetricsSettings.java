// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.internal.rolling.Buckets;

/**
 * How a command's metrics are kept.
 *
 * @param rollingWindowNanos length of the window of counts; {@code
 *     metrics.rollingStats.timeInMilliseconds}
 * @param rollingBuckets how many buckets it has; {@code metrics.rollingStats.numBuckets}
 * @param percentileEnabled whether latencies are kept; {@code metrics.rollingPercentile.enabled}
 * @param percentileWindowNanos length of the window of latencies; {@code
 *     metrics.rollingPercentile.timeInMilliseconds}
 * @param percentileBuckets how many buckets it has; {@code metrics.rollingPercentile.numBuckets}
 * @param healthIntervalNanos the longest time between two looks at the health; {@code
 *     metrics.healthSnapshot.intervalInMilliseconds}
 */
public record MetricsSettings(
    long rollingWindowNanos,
    int rollingBuckets,
    boolean percentileEnabled,
    long percentileWindowNanos,
    int percentileBuckets,
    long healthIntervalNanos) {

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one is not positive, or a window cannot be divided into its
   *     buckets
   */
  public MetricsSettings {
    checkWindow("rollingWindowNanos", rollingWindowNanos, "rollingBuckets", rollingBuckets);
    checkWindow(
        "percentileWindowNanos", percentileWindowNanos, "percentileBuckets", percentileBuckets);
    checkPositive("healthIntervalNanos", healthIntervalNanos);
  }

  /**
   * How long after a bucket's end it has to be closed before anything is counted, as {@link
   * Buckets#lateFrom} says.
   */
  long lateNanos() {
    long counts = lateNanos(rollingWindowNanos, rollingBuckets);
    return percentileEnabled
        ? Math.min(counts, lateNanos(percentileWindowNanos, percentileBuckets))
        : counts;
  }

  private static long lateNanos(long windowNanos, int buckets) {
    return buckets == 1 ? 0 : windowNanos / buckets;
  }

  private static void checkWindow(
      String windowName, long windowNanos, String bucketsName, int buckets) {
    checkPositive(windowName, windowNanos);
    checkPositive(bucketsName, buckets);
    if (windowNanos % buckets != 0) {
      throw new IllegalArgumentException(
          windowName
              + ": "
              + windowNanos
              + " is not a multiple of "
              + bucketsName
              + " ("
              + buckets
              + ")");
    }
  }

  private static void checkPositive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + ": " + value + " is not greater than 0");
    }
  }
}
