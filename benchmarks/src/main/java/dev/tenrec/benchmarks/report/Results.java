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
 * iterations that tell the {@link ProcessorDistance}, those are taken that ran while the processors
 * were near each other, or those that ran while they were apart: at more than {@link #APART} times
 * the shortest distance of the run.
 */
final class Results {

  /** Two that share a cache differ by a factor of two, two that do not by one of eight. */
  private static final double APART = 4;

  private static final double NOT_MEASURED = 0;

  /** How JMH calls bytes per operation; older versions put a dot before it. */
  private static final String BYTES = "gc.alloc.rate.norm";

  // of a distance in nanoseconds, 0 where none was measured
  private final DoublePredicate wanted;
  private final Map<String, Measurement> byLabel = new LinkedHashMap<>();

  private Results(DoublePredicate wanted) {
    this.wanted = wanted;
  }

  /**
   * What these files, JMH's and the footprint's, say of what is wanted of them, while the
   * processors were near each other or it did not matter.
   */
  static Results read(List<Kept> files) throws IOException {
    double limit = APART * shortestDistance(files);
    return read(files, distance -> distance <= limit);
  }

  /** The same while the processors were apart. */
  static Results readApart(List<Kept> files) throws IOException {
    double limit = APART * shortestDistance(files);
    return read(files, distance -> distance > limit);
  }

  private static Results read(List<Kept> files, DoublePredicate wanted) throws IOException {
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

  /** Infinite if none was measured: then nothing is apart. */
  private static double shortestDistance(List<Kept> files) throws IOException {
    List<Double> measured = new ArrayList<>();
    read(files, distance -> distance > 0 && measured.add(distance));
    return measured.stream().mapToDouble(d -> d).min().orElse(Double.POSITIVE_INFINITY);
  }

  /** What one text says, whatever the distance. */
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
    if (!wanted.test(NOT_MEASURED)) {
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
    List<Double> nanos = forks(raw(result.get("primaryMetric")), distances);
    if (nanos.isEmpty()) {
      return;
    }
    Object bytes = others.get(BYTES) != null ? others.get(BYTES) : others.get("·" + BYTES);
    merge(
        new Measurement(
            type,
            benchmark.substring(method + 1),
            params,
            threads,
            nanos,
            forks(raw(bytes), distances)));
    // the parts of a group, which JMH tells beside its profilers' figures
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
      List<Double> iterations = new ArrayList<>();
      for (int i = 0; i < scores.size(); i++) {
        double distance =
            distances.isEmpty()
                ? NOT_MEASURED
                : number(list(distances.get(fork)).get(i), "a distance");
        if (wanted.test(distance)) {
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
    if (value instanceof Double number) {
      return number;
    }
    if ("NaN".equals(value)) {
      return Double.NaN;
    }
    throw new IllegalArgumentException(what + ": expected a number, but found " + value);
  }
}
