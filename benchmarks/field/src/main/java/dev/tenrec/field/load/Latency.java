// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import org.HdrHistogram.Histogram;

/**
 * How long something took, to three digits.
 *
 * @param micros all of it
 */
public record Latency(Histogram micros) {

  /** The mean, in milliseconds; 0 if there is none. */
  public double meanMillis() {
    return micros.getMean() / 1e3;
  }

  /** So many of a hundred took no longer, in milliseconds; 0 if there is none. */
  public double percentileMillis(double percentile) {
    return micros.getValueAtPercentile(percentile) / 1e3;
  }

  /**
   * The 99th percentile as a share of another's: 0.1 for a tenth of it. Of the injector's lag and
   * what callers waited, it says whether the run speaks of the service, or of the injector.
   */
  public double p99ShareOf(Latency other) {
    double mine = percentileMillis(99);
    return mine == 0 ? 0 : mine / other.percentileMillis(99);
  }

  /** The longest, in milliseconds. */
  public double maxMillis() {
    return micros.getMaxValue() / 1e3;
  }
}
