// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Shape;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the table, and the files. */
final class ComparisonReport {

  private final Map<Cell, Figures> measured;
  private final ReportWriter writer;

  ComparisonReport(Map<Cell, Figures> measured, int planned, Ending ending) {
    this.measured = measured;
    Reconciliation found = new Reconciliation();
    measured.forEach(
        (cell, figures) -> found.addAll(cell, CellReconciliation.differences(cell, figures)));
    this.writer =
        new ReportWriter("system5", measured.size(), planned, found.differences(), ending);
  }

  static void header(List<String> arguments, PrintStream out) {
    ReportWriter.header(
        out,
        "system5",
        "benchmarks/field",
        arguments,
        "driver and service",
        "Closed model: users, each calling again when answered.",
        "Latencies are those of answered calls, counted from when the engine sent them, and from"
            + " when the user wanted them sent.");
  }

  void print(PrintStream out) {
    Shape.print(Ratios.of(measured), out);
    writer.verdict(out, "runs", "driver, commands and service", List.of());
  }

  int write(Path directory, PrintStream out) throws Exception {
    List<Map<String, @Nullable Object>> runs = new ArrayList<>();
    measured.forEach((cell, figures) -> runs.add(json(cell, figures)));
    writer.put("model", "closed");
    writer.put("runs", runs);
    writer.put("ratios", Ratios.of(measured).stream().map(Shape::json).toList());
    byDelay()
        .forEach(
            (delay, cells) -> {
              for (String since : List.of("Sent", "Intended")) {
                writer.plot(delay + "ms-since" + since, plot(delay, cells, since));
              }
            });
    return writer.write(directory, out);
  }

  private static Map<String, @Nullable Object> json(Cell cell, Figures figures) {
    Map<String, @Nullable Object> run = new LinkedHashMap<>();
    run.put("heapMegabytes", cell.heapMegabytes());
    run.put("delayMillis", cell.delayMillis());
    run.put("engine", cell.engineName());
    run.put("users", cell.users());
    run.put("requests", cell.requests());
    run.put("permits", cell.permits());
    run.putAll(figures.values());
    run.put("remark", figures.remark());
    return run;
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
