// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.Words;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.service.ServiceProcess;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A gateway in front of a service, each in a JVM of its own: what it costs, what it refuses and
 * why, and what refusing costs.
 */
public final class GatewayLoads {

  private static final String USAGE =
      """
      A gateway in front of a service: a table of how both fare, direct and through it.
        --short        few calls, under 20 seconds
        --long         50,000 calls each, as in the original: a quarter of an hour
        --call C       one call only: hello or slow
        --port N       where the gateway listens (default: a free port)
        --directory D  where results are written (default benchmarks/field/target, or target from within benchmarks/field)
      Ctrl-C ends it with the results so far.
      """;

  private GatewayLoads() {}

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main("gateway", USAGE, arguments, GatewayLoads::run);
  }

  static int run(List<String> arguments, Stop stop, PrintStream out) throws Exception {
    Form form = Form.DEFAULT;
    int port = 0;
    List<String> calls = List.of(Cell.HELLO, Cell.SLOW);
    Path directory = Words.defaultDirectory();
    Words words = new Words(arguments);
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "--short" -> form = Form.SHORT;
        case "--long" -> form = Form.LONG;
        case "--call" -> calls = List.of(call(words.value(word)));
        case "--port" -> port = words.number(word, 0, 65_535);
        case "--directory" -> directory = Path.of(words.value(word));
        default -> throw new IllegalArgumentException("unknown argument " + word);
      }
    }
    // the gateway needs two for each call, one either way, and is under the same limit
    FileHandles.requireFor(2L * form.mostAtOnce());
    List<String> wanted = calls;
    List<Cell> cells = form.cells().stream().filter(cell -> wanted.contains(cell.call())).toList();
    GatewayReport.header(arguments, out);
    List<Reading> readings = new ArrayList<>();
    int gatewayPort = port;
    Form chosen = form;
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (ServiceProcess service = ServiceProcess.start(0, chosen.mostAtOnce())) {
                Progress progress = Progress.on(out);
                Loads loads = new Loads(chosen, service.uri(), gatewayPort, stop, progress);
                measure(cells, service, loads, stop, progress, new Table(out), readings);
              }
            });
    GatewayReport report = new GatewayReport(readings, cells.size(), ending);
    report.print(out);
    return report.write(directory, out);
  }

  private static String call(String word) {
    if (word.equals(Cell.HELLO) || word.equals(Cell.SLOW)) {
      return word;
    }
    throw new IllegalArgumentException("--call is " + word + ", expected hello or slow");
  }

  /** Each load after the other, until all are done or somebody asks for the end. */
  private static void measure(
      List<Cell> cells,
      ServiceProcess service,
      Loads loads,
      Stop stop,
      Progress progress,
      Table table,
      List<Reading> readings)
      throws Exception {
    table.head();
    for (Cell cell : cells) {
      if (stop.asked()) {
        break;
      }
      service.requireAlive();
      progress.show((readings.size() + 1) + " of " + cells.size() + ": " + cell);
      Reading reading = loads.run(cell);
      if (reading.result().counts().due() > 0) {
        progress.end();
        readings.add(reading);
        table.row(reading);
      }
    }
  }
}
