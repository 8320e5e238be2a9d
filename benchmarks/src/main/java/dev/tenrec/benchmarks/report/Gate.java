// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound on one figure: {@code Class.method/param@threads.ns = 1.25 x floor}. The file {@code
 * gates.properties} says how they are written.
 *
 * @param label the measurement
 * @param quantity {@code ns} or {@code bytes}
 * @param factor the bound, or what the other's figure is multiplied by
 * @param other the method beside it, or empty for a bound of its own
 * @param plus what is added to so many times the other's figure
 */
record Gate(String label, String quantity, double factor, Optional<String> other, double plus) {

  private static final Pattern KEY = Pattern.compile("(\\w+\\.\\w+(?:/\\w+)*@\\d+)\\.(ns|bytes)");
  private static final Pattern BOUND =
      Pattern.compile("(\\d+(?:\\.\\d+)?)(?: x (\\w+)(?: \\+ (\\d+(?:\\.\\d+)?))?)?");

  /** JMH counts what the JVM itself allocates as well: less than this is none. */
  private static final double NO_BYTES = 0.5;

  /** How a gate was passed, or not. */
  enum Verdict {
    HOLDS,
    BROKEN,
    NOT_MEASURED
  }

  /** All gates of a file, in the order of their keys. */
  static List<Gate> of(Properties file) {
    List<Gate> gates = new ArrayList<>();
    for (String key : new TreeSet<>(file.stringPropertyNames())) {
      Matcher name = KEY.matcher(key);
      if (!name.matches()) {
        throw new IllegalArgumentException(
            "gate '" + key + "': expected Class.method@threads.ns or .bytes, as A.tenrec/100@1.ns");
      }
      for (String bound : file.getProperty(key).split(",", -1)) {
        Matcher matcher = BOUND.matcher(bound.strip());
        if (!matcher.matches()) {
          throw new IllegalArgumentException(
              "gate '"
                  + key
                  + "': expected a number, '1.25 x method' or '1 x method + 150', but found '"
                  + bound
                  + "'");
        }
        gates.add(
            new Gate(
                name.group(1),
                name.group(2),
                Double.parseDouble(matcher.group(1)),
                Optional.ofNullable(matcher.group(2)),
                matcher.group(3) == null ? 0 : Double.parseDouble(matcher.group(3))));
      }
    }
    return gates;
  }

  /** Whether these results keep it. */
  Verdict judge(Results results) {
    double figure = figure(results);
    double bound = bound(results);
    if (Double.isNaN(figure) || Double.isNaN(bound)) {
      return Verdict.NOT_MEASURED;
    }
    boolean none = quantity.equals("bytes") && bound == 0;
    return figure <= (none ? NO_BYTES : bound) ? Verdict.HOLDS : Verdict.BROKEN;
  }

  /** Whether both its figures are there, be it at different distances of the processors. */
  boolean isAbout(Results results) {
    return results
        .find(label)
        .filter(one -> other.isEmpty() || results.beside(one, other.get()).isPresent())
        .isPresent();
  }

  private double figure(Results results) {
    return results.find(label).map(this::quantityOf).orElse(Double.NaN);
  }

  private double bound(Results results) {
    if (other.isEmpty()) {
      return factor;
    }
    return results
        .find(label)
        .flatMap(one -> results.beside(one, other.get()))
        .map(beside -> factor * quantityOf(beside) + plus)
        .orElse(Double.NaN);
  }

  private double quantityOf(Measurement one) {
    return quantity.equals("ns") ? one.nanos() : one.bytes();
  }

  /** The gate, the figure and the bound, in one line. */
  String line(Results results) {
    String bound =
        other
            .map(
                method ->
                    String.format(
                        Locale.ROOT, "%s x %s%s = %.1f", factor, method, added(), bound(results)))
            .orElseGet(() -> String.format(Locale.ROOT, "%s", factor));
    return String.format(
        Locale.ROOT, "%s.%s: %.1f, and the bound is %s", label, quantity, figure(results), bound);
  }

  @Override
  public String toString() {
    return label
        + "."
        + quantity
        + " <= "
        + factor
        + other.map(method -> " x " + method + added()).orElse("");
  }

  private String added() {
    return plus == 0 ? "" : " + " + plus;
  }
}
