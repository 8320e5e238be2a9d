// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A second of a load, in a ramp as well: what ended in it. The last one may be shorter; one is
 * longer where the driver itself had no processor.
 *
 * @param fromSeconds when it began, since the load began
 * @param toSeconds when it ended
 * @param answered calls answered in it
 * @param lost calls that ended in it otherwise, refused ones included
 * @param sinceIntended of those answered, since they were due; null if there are none
 * @param sinceSent of those answered, since they were sent; null if there are none
 */
public record Second(
    double fromSeconds,
    double toSeconds,
    long answered,
    long lost,
    @Nullable Spread sinceIntended,
    @Nullable Spread sinceSent) {

  /** How long answers took, in milliseconds. */
  public record Spread(double p50Millis, double p90Millis, double p99Millis, double maxMillis) {

    private Map<String, @Nullable Object> json() {
      Map<String, @Nullable Object> figures = new LinkedHashMap<>();
      figures.put("p50Millis", p50Millis);
      figures.put("p90Millis", p90Millis);
      figures.put("p99Millis", p99Millis);
      figures.put("maxMillis", maxMillis);
      return figures;
    }
  }

  /** Answers a second; those of a part of a second are not made more. */
  public double perSecond() {
    return answered / Math.max(1, toSeconds - fromSeconds);
  }

  /** The same of what ended otherwise. */
  public double lostPerSecond() {
    return lost / Math.max(1, toSeconds - fromSeconds);
  }

  /** It as a map, for a report. */
  Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("fromSeconds", fromSeconds);
    figures.put("toSeconds", toSeconds);
    figures.put("answered", answered);
    figures.put("lost", lost);
    figures.put("sinceIntended", sinceIntended == null ? null : sinceIntended.json());
    figures.put("sinceSent", sinceSent == null ? null : sinceSent.json());
    return figures;
  }
}
