// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.SystemProgram;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.service.ServiceProcess;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
    Form form = form(Form.DEMO, Form.SHORT, Form.FULL);
    int port = port();
    List<Cell> cells =
        form.cells().stream().filter(cell -> engine == null || cell.engine() == engine).toList();
    ComparisonReport.header(arguments(), out);
    Map<Cell, Figures> measured = new LinkedHashMap<>();
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (ServiceProcess service = ServiceProcess.start(port, form.mostUsers());
                  Progress progress = Progress.on(out)) {
                Consumer<Table.Row> table = Table.COLUMNS.table(out);
                progress.each(
                    cells,
                    stop,
                    cell -> {
                      Figures figures = CellProcess.run(cell, service.uri(), form.time(cell), stop);
                      service.requireAlive();
                      return figures;
                    },
                    (cell, figures) -> {
                      measured.put(cell, figures);
                      table.accept(new Table.Row(cell, figures));
                    });
              }
            });
    return report(new ComparisonReport(measured, cells.size(), ending), out);
  }
}
