// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Shape;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the table, and the files. */
final class ComparisonReport extends ReportWriter {

  private final Map<Cell, Figures> measured;

  ComparisonReport(Map<Cell, Figures> measured, int planned, Ending ending) {
    super("system5", ran(measured), planned, differences(measured), ending);
    this.measured = measured;
  }

  private static List<String> differences(Map<Cell, Figures> measured) {
    Reconciliation found = new Reconciliation();
    measured.forEach(
        (cell, figures) -> found.addAll(cell, CellReconciliation.differences(cell, figures)));
    return found.differences();
  }

  private static int ran(Map<Cell, Figures> measured) {
    return (int) measured.values().stream().filter(Figures::isMeasured).count();
  }

  /** Those that did not run, by reason: none of them counts as a run. */
  private List<String> notRun() {
    Map<String, Integer> reasons = new LinkedHashMap<>();
    measured.values().stream()
        .filter(figures -> !figures.isMeasured())
        .forEach(figures -> reasons.merge(figures.remark(), 1, Integer::sum));
    return reasons.entrySet().stream()
        .map(reason -> reason.getValue() + " did not run: " + reason.getKey())
        .toList();
  }

  static void header(List<String> arguments, PrintStream out) {
    header(
        out,
        "system5",
        "benchmarks/field",
        arguments,
        "driver and service",
        "Closed model: users, each calling again when answered. Users there: how many were in a"
            + " call on average, over those of the label; OFF if that is over 10 % wrong.",
        "Latencies are those of answered calls, counted from when the engine sent them, and from"
            + " when the user wanted them sent.");
  }

  @Override
  protected void print(PrintStream out) {
    Shape.print(shapes(), out);
    verdict(out, "runs", "driver, commands and service", notRun());
  }

  @Override
  protected List<Shape> shapes() {
    return Ratios.of(measured);
  }

  @Override
  protected void fill() {
    List<Map<String, @Nullable Object>> runs = new ArrayList<>();
    measured.forEach((cell, figures) -> runs.add(json(cell, figures)));
    put("model", "closed");
    put("runs", runs);
    byDelay()
        .forEach(
            (delay, cells) -> {
              for (String since : List.of("Sent", "Intended")) {
                plot(delay + "ms-since" + since, plot(delay, cells, since));
              }
            });
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
    if (figures.isMeasured()) {
      run.put("usersThereSaid", figures.presence(cell).said());
    }
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
