// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Some benchmarks of one class with one number of threads: what is measured in turn, and kept in
 * one file.
 *
 * @param type the class's simple name
 * @param methods which of its methods; none for all
 * @param threads callers
 * @param params values of parameters, where not all are wanted
 */
record Job(String type, List<String> methods, int threads, Map<String, String> params) {

  static final String FOOTPRINT = "Footprint";

  /** All methods with all their parameters. */
  static Job all(String type, int threads) {
    return new Job(type, List.of(), threads, Map.of());
  }

  /** Some methods. */
  static Job some(String type, int threads, String... methods) {
    return new Job(type, List.of(methods), threads, Map.of());
  }

  /** With this value of a parameter. */
  Job with(String param, String value) {
    return new Job(type, methods, threads, Map.of(param, value));
  }

  boolean isFootprint() {
    return type.equals(FOOTPRINT);
  }

  /** What its progress is printed under. */
  String title() {
    return type + ", " + threads + (threads == 1 ? " thread" : " threads");
  }

  /** What its files are called: jobs that measure different things never share one. */
  String name() {
    StringBuilder name = new StringBuilder(type).append("-t").append(threads);
    new TreeMap<>(params).forEach((param, value) -> name.append('-').append(param + "=" + value));
    return methods.isEmpty() ? name.toString() : name + "-" + String.join("+", methods);
  }

  /**
   * The job that has all methods of this one's class, where what it measures of them is what this
   * one would: with the same callers, parameters and warm-up.
   */
  Optional<Job> whole(Form form) {
    Job whole = new Job(type, List.of(), threads, params);
    boolean isAnother = !methods.isEmpty();
    return Optional.of(whole)
        .filter(job -> isAnother && job.warmupMillis(form) == warmupMillis(form));
  }

  /** Whether this method is one of its. */
  boolean wants(String method) {
    return methods.isEmpty() || methods.contains(method);
  }

  /** Whether a caller meets other callers, or waits for another thread. */
  boolean threadsMeet() {
    return threads > 1 || Sets.ON_OTHER_THREADS.contains(type);
  }

  /**
   * Hystrix's first second is a hundred times slower than its fifth; and threads that meet leave
   * the compiler less of the processors.
   */
  private int warmupMillis(Form form) {
    boolean slowToWarm = methods.isEmpty() || methods.contains("hystrix") || threads > 1;
    return slowToWarm ? Math.max(1_000, form.millis()) : form.millis();
  }

  /** One fork of each, for JMH's command line. */
  List<String> jmhArguments(Form form, String resultFile) {
    String which = methods.isEmpty() ? "\\w+" : "(" + String.join("|", methods) + ")";
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "^dev\\.tenrec\\.benchmarks\\." + type + "\\." + which + "$",
                "-f",
                "1",
                "-wi",
                String.valueOf(form.warmups()),
                "-w",
                warmupMillis(form) + "ms",
                "-i",
                String.valueOf(form.iterations()),
                "-r",
                form.millis() + "ms",
                "-foe",
                "true",
                "-prof",
                "gc",
                "-rf",
                "json",
                "-rff",
                resultFile));
    if (!type.equals("MetricsReadWhileWriting")) { // its groups say how many threads
      arguments.addAll(List.of("-t", String.valueOf(threads)));
    }
    if (threadsMeet() && ProcessorDistance.IS_DEFINED) {
      arguments.addAll(List.of("-prof", ProcessorDistance.class.getName()));
    }
    params.forEach((name, value) -> arguments.addAll(List.of("-p", name + "=" + value)));
    return arguments;
  }
}
