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
import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;

/**
 * All measurements of a run; those of one benchmark from several files are forks of one. Of
 * iterations that show the {@link ProcessorDistance}, the times are taken of those that ran while
 * the processors were near each other, or of those that ran while they were apart.
 */
final class Results {

  /** How JMH calls bytes per operation; older versions put a dot before it. */
  private static final String BYTES = "gc.alloc.rate.norm";

  private static final double NO_DISTANCE = 0;

  // of a distance in nanoseconds
  private final DoublePredicate wanted;
  private final Map<String, Measurement> byLabel = new LinkedHashMap<>();

  private Results(DoublePredicate wanted) {
    this.wanted = wanted;
  }

  /**
   * What these files, JMH's and the footprint's, say of what is wanted of them.
   *
   * @param wanted which distances of the processors, in nanoseconds; 0 where none was measured
   */
  static Results read(List<Kept> files, DoublePredicate wanted) throws IOException {
    Results results = new Results(wanted);
    for (Kept kept : files) {
      try {
        parse(Files.readString(kept.file()), wanted).all().stream()
            .filter(one -> kept.job().wants(one.method()))
            .forEach(results::merge);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(kept.file() + ": " + e.getMessage(), e);
      }
    }
    return results;
  }

  /** What one text says, at whatever distance. */
  static Results parse(String json) {
    return parse(json, distance -> true);
  }

  private static Results parse(String json, DoublePredicate wanted) {
    Results results = new Results(wanted);
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
    if (!wanted.test(NO_DISTANCE)) {
      return;
    }
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
    List<?> distances = raw(others.get(ProcessorDistance.NAME));
    Object bytes = others.get(BYTES) != null ? others.get(BYTES) : others.get("·" + BYTES);
    merge(
        new Measurement(
            type,
            benchmark.substring(method + 1),
            params,
            threads,
            forks(raw(result.get("primaryMetric")), distances),
            // the same at any distance, so shown where none matters
            forks(raw(bytes), List.of())));
    // the parts of a group, which JMH prints beside its profilers' figures
    others.forEach(
        (name, metric) -> {
          if (text(map(metric, "a metric"), "scoreUnit").equals("ns/op")) {
            merge(
                new Measurement(
                    type,
                    String.valueOf(name),
                    params,
                    threads,
                    forks(raw(metric), distances),
                    List.of()));
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

  /** For each fork with wanted iterations, their median. */
  private List<Double> forks(List<?> raw, List<?> distances) {
    List<Double> medians = new ArrayList<>();
    for (int fork = 0; fork < raw.size(); fork++) {
      List<?> scores = list(raw.get(fork));
      List<?> beside = distances.isEmpty() ? List.of() : list(distances.get(fork));
      if (!beside.isEmpty() && beside.size() != scores.size()) {
        throw new IllegalArgumentException(
            "expected as many distances as scores, " + scores + ", but found " + beside);
      }
      List<Double> iterations = new ArrayList<>();
      for (int i = 0; i < scores.size(); i++) {
        if (wanted.test(beside.isEmpty() ? NO_DISTANCE : number(beside.get(i), "a distance"))) {
          iterations.add(number(scores.get(i), "a score"));
        }
      }
      if (!iterations.isEmpty()) {
        medians.add(Measurement.median(iterations));
      }
    }
    return medians;
  }

  /** A metric's figures, a list for each fork; none of a metric that is not there. */
  private static List<?> raw(@Nullable Object metric) {
    return metric == null ? List.of() : list(map(metric, "a metric").get("rawData"));
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
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if ("NaN".equals(value)) {
      return Double.NaN;
    }
    throw new IllegalArgumentException(what + ": expected a number, but found " + value);
  }
}
