// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.SystemProgram;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.service.ServiceProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Generating a large load from a small machine: four ways to have up to 5,000 calls in flight, in a
 * larger and a smaller heap, against a service that answers at once and one that takes its time.
 */
@Command(name = "comparison", description = "Compares engines: a table of how they fare.")
public final class Comparison extends SystemProgram {

  @Option(
      names = "--engine",
      paramLabel = "E",
      description = "one engine only: thread, pool, async or virtual")
  private @Nullable Engines engine;

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main(new Comparison(), arguments);
  }

  @Override
  protected int run(Stop stop, PrintStream out) throws Exception {
    Form form = isShort() ? Form.SHORT : Form.FULL;
    int port = port();
    List<Cell> cells =
        form.cells().stream().filter(cell -> engine == null || cell.engine() == engine).toList();
    ComparisonReport.header(arguments(), out);
    Map<Cell, Figures> measured = new LinkedHashMap<>();
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (ServiceProcess service = ServiceProcess.start(port, form.mostUsers())) {
                measure(cells, service, form.seconds(), stop, out, measured);
              }
            });
    ComparisonReport report = new ComparisonReport(measured, cells.size(), ending);
    report.print(out);
    return report.write(directory(), out);
  }

  /** Each cell after the other, until all are done or somebody asks for the end. */
  private static void measure(
      List<Cell> cells,
      ServiceProcess service,
      int seconds,
      Stop stop,
      PrintStream out,
      Map<Cell, Figures> measured)
      throws IOException, InterruptedException {
    Progress progress = Progress.on(out);
    Table table = new Table(out);
    for (Cell cell : cells) {
      if (stop.asked()) {
        break;
      }
      progress.show((measured.size() + 1) + " of " + cells.size() + ": " + cell);
      Figures figures = CellProcess.run(cell, service.uri(), seconds, stop);
      progress.end();
      service.requireAlive();
      measured.put(cell, figures);
      table.row(cell, figures);
    }
  }
}
