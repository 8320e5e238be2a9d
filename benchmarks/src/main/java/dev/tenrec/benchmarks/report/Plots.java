// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Cost as work grows, drawn from the results of the set {@code scaling}. */
final class Plots {

  private Plots() {}

  /** Writes those there are figures for, and answers with their files. */
  static List<Path> write(Results results, Path directory) throws IOException {
    LineChart threads =
        new LineChart(
            "A call on its caller's thread, by callers of one command", "threads", "ns per call");
    LineChart keys =
        new LineChart("A call on its caller's thread, of many commands in turn", "commands", "ns");
    LineChart callers =
        new LineChart("Calls on a pool of 10 threads, by callers that wait", "callers", "calls/s");
    for (Measurement one : results.all()) {
      if (!one.hasNanos()) {
        continue;
      }
      switch (one.type()) {
        case "SemaphoreExecution" -> threads.add(one.method(), one.threads(), one.nanos());
        case "ManyCommands" -> keys.add(one.method(), keys(one), one.nanos());
        case "ThreadPoolExecution" ->
            callers.add(one.method(), one.threads(), one.threads() * 1e9 / one.nanos());
        default -> {}
      }
    }
    List<Path> files = new ArrayList<>();
    write(threads, directory.resolve("threads.svg"), files);
    write(keys, directory.resolve("commands.svg"), files);
    write(callers, directory.resolve("callers.svg"), files);
    return files;
  }

  private static double keys(Measurement one) {
    String keys = one.params().get("keys");
    if (keys == null) {
      throw new IllegalArgumentException(one.label() + " has no parameter keys");
    }
    return Double.parseDouble(keys);
  }

  private static void write(LineChart chart, Path file, List<Path> files) throws IOException {
    if (!chart.isEmpty()) {
      Files.writeString(file, chart.svg());
      files.add(file);
    }
  }
}
