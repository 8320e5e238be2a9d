// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import dev.tenrec.field.kit.Columns;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * How long something took, to three digits.
 *
 * @param micros all of it
 */
public record Latency(Histogram micros) {

  /** Whether there is none: nothing was answered, and there is no figure to show. */
  public boolean isEmpty() {
    return micros.getTotalCount() == 0;
  }

  /** For a table: the mean in milliseconds, with so many places; a dash if there is none. */
  public String meanSaid(int places) {
    return said(meanMillis(), places);
  }

  /** For a table: so many of a hundred took no longer, in milliseconds; a dash if there is none. */
  public String percentileSaid(double percentile, int places) {
    return said(percentileMillis(percentile), places);
  }

  private String said(double millis, int places) {
    return isEmpty() ? "-" : String.format(Locale.ROOT, "%." + places + "f", millis);
  }

  /** The column of the mean in milliseconds, with so many places. */
  public static Columns<Latency> mean(int places) {
    return new Columns<Latency>().add("mean ms", latency -> latency.meanSaid(places));
  }

  /** A column for each of these percentiles in milliseconds, with so many places. */
  public static Columns<Latency> percentiles(int places, double... percentiles) {
    Columns<Latency> columns = new Columns<>();
    for (double percentile : percentiles) {
      columns.add(name(percentile) + " ms", latency -> latency.percentileSaid(percentile, places));
    }
    return columns;
  }

  /** A percentile as it is written: p99, p99.5, or max for 100. */
  static String name(double percentile) {
    return percentile == 100 ? "max" : "p" + String.valueOf(percentile).replace(".0", "");
  }

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
