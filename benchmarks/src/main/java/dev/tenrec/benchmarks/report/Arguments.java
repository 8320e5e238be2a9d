// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The arguments of {@code compare}.
 *
 * @param set which benchmarks
 * @param form how long
 * @param keep whether figures an earlier run left are used
 * @param reportOnly whether nothing is run at all
 * @param forks how many, where not the form's number
 * @param jar all benchmarks
 * @param gates the file of gates
 * @param results where figures are kept
 */
record Arguments(
    String set,
    Form form,
    boolean keep,
    boolean reportOnly,
    Optional<Integer> forks,
    Path jar,
    Path gates,
    Path results) {

  static final String USAGE =
      """
      compare SET [--full] [--keep] [--report] [--forks N] [--gates FILE] [--results DIR]

      SET        short (about 4 minutes), full (hours), scaling (plots), or the name of a class
      --full     a class or scaling in the form that is published; without it, in the short one
      --keep     uses what an interrupted or earlier run has measured, and measures the rest
      --report   measures nothing: table, gates and plots of what is there
      --forks N  JVMs for each benchmark; where threads meet, at least 5
      --gates FILE, --results DIR   instead of gates.properties, and target/results
      """;

  static Arguments of(List<String> words, Path home) {
    Deque<String> left = new ArrayDeque<>(words);
    if (left.isEmpty() || left.peek().startsWith("--")) {
      throw new IllegalArgumentException("the first argument has to be the set");
    }
    String set = left.remove();
    boolean full = set.equals(Sets.FULL);
    boolean keep = false;
    boolean reportOnly = false;
    Optional<Integer> forks = Optional.empty();
    Path gates = home.resolve("gates.properties");
    Path results = home.resolve("target").resolve("results");
    while (!left.isEmpty()) {
      String word = left.remove();
      switch (word) {
        case "--full" -> full = true;
        case "--keep" -> keep = true;
        case "--report" -> reportOnly = true;
        case "--forks" -> forks = Optional.of(positive(word, valueOf(word, left)));
        case "--gates" -> gates = Path.of(valueOf(word, left));
        case "--results" -> results = Path.of(valueOf(word, left));
        default -> throw new IllegalArgumentException("unknown argument '" + word + "'");
      }
    }
    if (full && set.equals(Sets.SHORT)) {
      throw new IllegalArgumentException(
          "--full: the set short has no full form; the set full has");
    }
    Path jar = home.resolve("target").resolve("benchmarks.jar");
    Form form = full ? Form.FULL : Form.SHORT;
    return new Arguments(set, form, keep, reportOnly, forks, jar, gates, results);
  }

  private static String valueOf(String option, Deque<String> left) {
    if (left.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return left.remove();
  }

  private static int positive(String option, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        option + ": expected a number from 1 on, but found '" + value + "'");
  }

  /**
   * Figures of different forms are kept apart; and so are those of other builds and JVMs, which
   * would be taken for forks of one. Those of parts of classes have names of their own.
   */
  Path directory(String jdk, String build) {
    return results.resolve(jdk).resolve(build).resolve(form.equals(Form.FULL) ? "full" : "short");
  }

  int forks(Job job) {
    return forks.map(form::withForks).orElse(form).forks(job);
  }

  /** What to print of jobs that get more forks than were asked for; empty if none does. */
  Optional<String> raisedForks(List<Job> jobs) {
    List<String> raised =
        jobs.stream()
            .filter(job -> !job.isFootprint() && forks.isPresent() && forks(job) > forks.get())
            .map(Job::title)
            .toList();
    return raised.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "--forks: %d instead of %d where threads meet: %s"
                .formatted(
                    Form.FORKS_OF_SEVERAL_THREADS, forks.orElseThrow(), String.join("; ", raised)));
  }
}
