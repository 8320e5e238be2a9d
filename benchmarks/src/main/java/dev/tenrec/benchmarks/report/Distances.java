// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How far from each other the processors were in a run ({@link ProcessorDistance}).
 *
 * @param shortest in nanoseconds; infinite if none was measured
 * @param longest in nanoseconds
 */
record Distances(double shortest, double longest) {

  /** Two that share a cache differ by a factor of two, two that do not by one of eight. */
  private static final double APART = 4;

  static Distances of(List<Kept> files) throws IOException {
    List<Double> measured = new ArrayList<>();
    // what is asked about each iteration is all that is wanted here, not what is read
    Results.read(files, distance -> distance > 0 && measured.add(distance));
    return new Distances(
        measured.stream().reduce(Double.POSITIVE_INFINITY, Math::min),
        measured.stream().reduce(0.0, Math::max));
  }

  boolean areMeasured() {
    return longest > 0;
  }

  /** Also where it was not measured, because it does not matter. */
  boolean isNear(double distance) {
    return distance <= APART * shortest;
  }

  boolean isApart(double distance) {
    return !isNear(distance);
  }

  boolean differ() {
    return isApart(longest);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.0f to %.0f ns; what is more than %.0f ns is apart",
        shortest,
        longest,
        APART * shortest);
  }
}
