// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * What a ratio came to in a run, or that it was not measured.
 *
 * @param text for people
 * @param values the same as numbers, in the order in which the text has them; none if it was not
 *     measured
 */
public record Ratio(String text, List<Double> values) {

  /** What it was to be reckoned from is not there. */
  public static final Ratio NOT_MEASURED = new Ratio("not measured", List.of());

  /** Something said in words, and the numbers in it. */
  public static Ratio told(String text, double... values) {
    return new Ratio(text, DoubleStream.of(values).boxed().toList());
  }

  /**
   * One figure divided by another, with both shown.
   *
   * @param unit of both, or empty
   */
  public static Ratio ratio(double one, double other, String unit) {
    String division = figure(one) + " ÷ " + figure(other) + (unit.isEmpty() ? "" : " " + unit);
    double ratio = one / other;
    return Double.isFinite(ratio) ? told(division + " = " + figure(ratio), ratio) : told(division);
  }

  /** Said of what; nothing is said of what was not measured. */
  public Ratio of(String what) {
    return isMeasured() ? new Ratio(text + " (" + what + ")", values) : this;
  }

  /** All that were measured, one after the other. */
  public static Ratio all(List<Ratio> some) {
    List<Ratio> measured = some.stream().filter(Ratio::isMeasured).toList();
    return measured.isEmpty()
        ? NOT_MEASURED
        : new Ratio(
            measured.stream().map(Ratio::text).collect(Collectors.joining("; ")),
            measured.stream().flatMap(one -> one.values().stream()).toList());
  }

  /** Whether there was something to reckon it from. */
  public boolean isMeasured() {
    return !this.equals(NOT_MEASURED);
  }

  /** To some three digits, and whole numbers as they are. */
  public static String figure(double value) {
    String format =
        value >= 100 || value == Math.rint(value) ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }
}
