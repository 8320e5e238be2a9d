// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.Words;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.engine.Engines;
import dev.tenrec.field.load.service.ServiceProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Generating a large load from a small machine: four ways to have up to 5,000 calls in flight, in a
 * larger and a smaller heap, against a service that answers at once and one that takes its time.
 */
public final class Comparison {

  private static final String USAGE =
      """
      The comparison of engines: a table of how they fare.
        --short        few calls, under 20 seconds
        --engine E     one engine only: thread, pool, async or virtual
        --port N       where the service listens (default: a free port)
        --directory D  where results are written (default benchmarks/field/target, or target from within benchmarks/field)
      Ctrl-C ends it with the results so far.
      """;

  private Comparison() {}

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main("comparison", USAGE, arguments, Comparison::run);
  }

  static int run(List<String> arguments, Stop stop, PrintStream out) throws Exception {
    Form form = Form.FULL;
    int port = 0;
    List<Engines> engines = List.of(Engines.values());
    Path directory = Words.defaultDirectory();
    Words words = new Words(arguments);
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "--short" -> form = Form.SHORT;
        case "--engine" -> engines = List.of(words.oneOf(word, Engines.class));
        case "--port" -> port = words.number(word, 0, 65_535);
        case "--directory" -> directory = Path.of(words.value(word));
        default -> throw new IllegalArgumentException("unknown argument " + word);
      }
    }
    List<Engines> wanted = engines;
    List<Cell> cells =
        form.cells().stream().filter(cell -> wanted.contains(cell.engine())).toList();
    ComparisonReport.header(arguments, out);
    Map<Cell, Figures> measured = new LinkedHashMap<>();
    int servicePort = port;
    Form chosen = form;
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (ServiceProcess service = ServiceProcess.start(servicePort, chosen.mostUsers())) {
                measure(cells, service, chosen.seconds(), stop, out, measured);
              }
            });
    ComparisonReport report = new ComparisonReport(measured, cells.size(), ending);
    report.print(out);
    return report.write(directory, out);
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
    table.head();
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
