// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All measurements of a run; those of one benchmark from several files are forks of one. */
final class Results {

  /** How JMH calls bytes per operation; older versions put a dot before it. */
  private static final String BYTES = "gc.alloc.rate.norm";

  private final Map<String, Measurement> byLabel = new LinkedHashMap<>();

  /** What these files, JMH's and the footprint's, say of what is wanted of them. */
  static Results read(List<Kept> files) throws IOException {
    Results results = new Results();
    for (Kept kept : files) {
      try {
        parse(Files.readString(kept.file())).all().stream()
            .filter(one -> kept.job().wants(one.method()))
            .forEach(results::merge);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(kept.file() + ": " + e.getMessage(), e);
      }
    }
    return results;
  }

  /** What one text says. */
  static Results parse(String json) {
    Results results = new Results();
    results.add(json);
    return results;
  }

  List<Measurement> all() {
    return List.copyOf(byLabel.values());
  }

  /** The one with this label. */
  Optional<Measurement> find(String label) {
    return Optional.ofNullable(byLabel.get(label));
  }

  /** The method of the same class, callers and parameters. */
  Optional<Measurement> beside(Measurement one, String method) {
    return byLabel.values().stream()
        .filter(other -> other.method().equals(method) && one.isComparableTo(other))
        .findFirst();
  }

  private void add(String json) {
    if (!(Json.parse(json) instanceof List<?> entries)) {
      throw new IllegalArgumentException("not what JMH writes: expected a list of results");
    }
    for (Object entry : entries) {
      Map<?, ?> result = map(entry, "a result");
      if (result.containsKey("footprint")) {
        addFootprint(result);
      } else {
        addTimes(result);
      }
    }
  }

  private void addFootprint(Map<?, ?> result) {
    String name = text(result, "footprint");
    double bytes = number(result.get("bytes"), "bytes");
    merge(new Measurement("Footprint", name, Map.of(), 1, List.of(), List.of(bytes)));
  }

  private void addTimes(Map<?, ?> result) {
    String benchmark = text(result, "benchmark");
    String unit = text(map(result.get("primaryMetric"), "primaryMetric"), "scoreUnit");
    if (!unit.equals("ns/op")) {
      throw new IllegalArgumentException(benchmark + " is in " + unit + ", and has to be in ns/op");
    }
    int method = benchmark.lastIndexOf('.');
    String type = benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1, method);
    Map<String, String> params = new TreeMap<>();
    if (result.get("params") instanceof Map<?, ?> given) {
      given.forEach((name, value) -> params.put(String.valueOf(name), String.valueOf(value)));
    }
    int threads = (int) number(result.get("threads"), "threads");
    Map<?, ?> others = map(result.get("secondaryMetrics"), "secondaryMetrics");
    List<Double> bytes =
        others.get(BYTES) != null ? forks(others.get(BYTES)) : forksOrNone(others.get("·" + BYTES));
    merge(
        new Measurement(
            type,
            benchmark.substring(method + 1),
            params,
            threads,
            forks(result.get("primaryMetric")),
            bytes));
    // the parts of a group, which JMH tells beside its profilers' figures
    others.forEach(
        (name, metric) -> {
          if (text(map(metric, "a metric"), "scoreUnit").equals("ns/op")) {
            merge(
                new Measurement(
                    type, String.valueOf(name), params, threads, forks(metric), List.of()));
          }
        });
  }

  private void merge(Measurement one) {
    byLabel.merge(
        one.label(),
        one,
        (before, more) ->
            new Measurement(
                one.type(),
                one.method(),
                one.params(),
                one.threads(),
                joined(before.forkNanos(), more.forkNanos()),
                joined(before.forkBytes(), more.forkBytes())));
  }

  private static List<Double> joined(List<Double> some, List<Double> more) {
    List<Double> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  private static List<Double> forksOrNone(@Nullable Object metric) {
    return metric == null ? List.of() : forks(metric);
  }

  private static List<Double> forks(@Nullable Object metric) {
    List<Double> medians = new ArrayList<>();
    for (Object fork : list(map(metric, "a metric").get("rawData"))) {
      List<Double> iterations = new ArrayList<>();
      for (Object iteration : list(fork)) {
        iterations.add(number(iteration, "a score"));
      }
      medians.add(Measurement.median(iterations));
    }
    return medians;
  }

  private static List<?> list(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new IllegalArgumentException("rawData: expected lists of lists, but found " + value);
  }

  private static Map<?, ?> map(@Nullable Object value, String what) {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new IllegalArgumentException(what + ": expected an object, but found " + value);
  }

  private static String text(Map<?, ?> from, String name) {
    if (from.get(name) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(name + ": expected a text, but found " + from.get(name));
  }

  /** JMH writes what is no number as a text. */
  private static double number(@Nullable Object value, String what) {
    if (value instanceof Double number) {
      return number;
    }
    if ("NaN".equals(value)) {
      return Double.NaN;
    }
    throw new IllegalArgumentException(what + ": expected a number, but found " + value);
  }
}
