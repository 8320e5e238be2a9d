// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
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
  public static Ratio stated(String text, double... values) {
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
    return Double.isFinite(ratio)
        ? stated(division + " = " + figure(ratio), ratio)
        : stated(division);
  }

  /** A figure of one row divided by that of another, if there are both. */
  public static <R> Ratio ratio(
      Optional<R> one, Optional<R> other, ToDoubleFunction<? super R> figure, String unit) {
    return both(
        one,
        other,
        (first, second) -> ratio(figure.applyAsDouble(first), figure.applyAsDouble(second), unit));
  }

  /** What one row comes to beside another, if there are both. */
  public static <R> Ratio both(
      Optional<R> one, Optional<R> other, BiFunction<? super R, ? super R, Ratio> figure) {
    return one.flatMap(first -> other.map(second -> figure.apply(first, second)))
        .orElse(NOT_MEASURED);
  }

  /** What each of these comes to, with its name. */
  public static <K> Ratio each(
      List<K> keys, Function<? super K, String> name, Function<? super K, Ratio> figure) {
    return all(keys.stream().map(key -> figure.apply(key).of(name.apply(key))).toList());
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
