// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One benchmark's figures.
 *
 * @param type the simple name of its class
 * @param method its method
 * @param params its parameters, by name
 * @param threads callers
 * @param forkNanos for each fork, the median of its iterations at the wanted distance of the
 *     processors, in nanoseconds per call; none for a footprint
 * @param forkBytes the same in bytes allocated per call; for a footprint, the bytes themselves
 */
record Measurement(
    String type,
    String method,
    Map<String, String> params,
    int threads,
    List<Double> forkNanos,
    List<Double> forkBytes) {

  /** The benchmark's name with all that distinguishes it. */
  String label() {
    String values =
        params.values().stream().map(value -> "/" + value).collect(Collectors.joining());
    return type + "." + method + values + "@" + threads;
  }

  /** Whether a ratio of the two says something: same class, callers and common parameters. */
  boolean isComparableTo(Measurement other) {
    return type.equals(other.type)
        && threads == other.threads
        && params.entrySet().stream()
            .allMatch(
                param ->
                    other
                        .params
                        .getOrDefault(param.getKey(), param.getValue())
                        .equals(param.getValue()));
  }

  boolean hasNanos() {
    return !forkNanos.isEmpty();
  }

  boolean hasBytes() {
    return !forkBytes.isEmpty();
  }

  /** The median of its forks. */
  double nanos() {
    return median(forkNanos);
  }

  /** The median of its forks. */
  double bytes() {
    return median(forkBytes);
  }

  /** From the fastest fork to the slowest, as a share of the median. */
  double spread() {
    double least = forkNanos.stream().mapToDouble(d -> d).min().orElse(Double.NaN);
    double most = forkNanos.stream().mapToDouble(d -> d).max().orElse(Double.NaN);
    return (most - least) / nanos();
  }

  /** The middle one, or the mean of the two in the middle; NaN of nothing. */
  static double median(List<Double> values) {
    if (values.isEmpty()) {
      return Double.NaN;
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
