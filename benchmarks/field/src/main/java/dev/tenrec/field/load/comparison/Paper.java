// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Json;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.Ending;
import dev.tenrec.field.load.report.Axis;
import dev.tenrec.field.load.report.Plot;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the table, and the files. */
final class Paper {

  private final Map<Cell, Figures> measured;
  private final int planned;
  private final Ending ending;
  private final List<String> differences = new ArrayList<>();

  Paper(Map<Cell, Figures> measured, int planned, Ending ending) {
    this.measured = measured;
    this.planned = planned;
    this.ending = ending;
    measured.forEach(
        (cell, figures) ->
            Books.differences(cell, figures)
                .forEach(difference -> differences.add(cell + ": " + difference)));
  }

  static void header(List<String> arguments, PrintStream out) {
    out.println(
        "mvn -q -Psystem5 -pl benchmarks/field -am -DskipTests package"
            + (arguments.isEmpty()
                ? ""
                : " -Dsystem5.args=\"" + String.join(" ", arguments) + "\""));
    out.println(
        "JDK "
            + Runtime.version()
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors, shared by driver and service. Closed model: users, each calling again"
            + " when answered.");
    out.println(
        "Latencies are those of answered calls, counted from when the engine sent them, and from"
            + " when the user wanted them sent.");
    out.println();
  }

  void print(PrintStream out) {
    Shape.print(Ratios.of(measured), out);
    out.println();
    out.println(
        measured.size()
            + " of "
            + planned
            + " runs; "
            + (holds()
                ? "in each, what was sent is answered, failed or refused, and driver, commands and"
                    + " service agree."
                : "these do NOT agree:"));
    differences.forEach(difference -> out.println("  " + difference));
    ending.print(out);
  }

  boolean holds() {
    return differences.isEmpty();
  }

  List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> files = new ArrayList<>();
    files.add(Files.writeString(directory.resolve("system5.json"), Json.write(json())));
    for (Map.Entry<Integer, List<Cell>> delay : byDelay().entrySet()) {
      for (String since : List.of("Sent", "Intended")) {
        files.add(
            Files.writeString(
                directory.resolve("system5-" + delay.getKey() + "ms-since" + since + ".svg"),
                plot(delay.getKey(), delay.getValue(), since).svg()));
      }
    }
    return files;
  }

  private Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("java", Runtime.version().toString());
    told.put("processors", Runtime.getRuntime().availableProcessors());
    told.put("model", "closed");
    told.put("planned", planned);
    ending.put(told);
    List<Map<String, @Nullable Object>> runs = new ArrayList<>();
    measured.forEach(
        (cell, figures) -> {
          Map<String, @Nullable Object> run = new LinkedHashMap<>();
          run.put("heapMegabytes", cell.heapMegabytes());
          run.put("delayMillis", cell.delayMillis());
          run.put("engine", cell.engineName());
          run.put("users", cell.users());
          run.put("requests", cell.requests());
          run.put("permits", cell.permits());
          run.putAll(figures.values());
          run.put("remark", figures.remark());
          runs.add(run);
        });
    told.put("runs", runs);
    told.put("ratios", Ratios.of(measured).stream().map(Shape::json).toList());
    told.put("accountingHolds", holds());
    told.put("differences", differences);
    return told;
  }

  private Map<Integer, List<Cell>> byDelay() {
    Map<Integer, List<Cell>> byDelay = new LinkedHashMap<>();
    for (Cell cell : measured.keySet()) {
      if (cell.permits() == 0) {
        byDelay.computeIfAbsent(cell.delayMillis(), first -> new ArrayList<>()).add(cell);
      }
    }
    return byDelay;
  }

  private Plot plot(int delay, List<Cell> cells, String since) {
    Plot plot =
        new Plot(
            "Mean latency since "
                + since.toLowerCase(Locale.ROOT)
                + ", closed model, a service that takes "
                + delay
                + " ms",
            new Axis("users", true),
            new Axis("ms", true));
    for (Cell cell : cells) {
      Figures figures = measured.getOrDefault(cell, Figures.none(""));
      plot.add(
          cell.engineName() + ", " + cell.heapMegabytes() + " MB",
          cell.users(),
          figures.value("since" + since + "MeanMillis"));
    }
    return plot;
  }
}
