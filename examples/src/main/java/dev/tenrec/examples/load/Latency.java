// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load;

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

  /** The longest, in milliseconds. */
  public double maxMillis() {
    return micros.getMaxValue() / 1e3;
  }
}
