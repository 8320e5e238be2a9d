// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.SystemProgram;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.service.ServiceProcess;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A gateway in front of a service, each in a JVM of its own: what it costs, what it refuses and
 * why, and what refusing costs.
 */
@Command(
    name = "gateway",
    description =
        "A gateway in front of a service: a table of how both fare, direct and through it.")
public final class GatewayLoads extends SystemProgram {

  @Option(
      names = "--long",
      description = "50,000 calls each, as in the original: a quarter of an hour")
  private boolean isLong;

  @Option(names = "--call", paramLabel = "C", description = "one call only: hello, post or slow")
  private @Nullable String call;

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main(new GatewayLoads(), arguments);
  }

  @Override
  protected int run(Stop stop, PrintStream out) throws Exception {
    Form form = form(Form.DEMO, Form.SHORT, isLong ? Form.LONG : Form.DEFAULT);
    int port = port();
    List<String> calls = calls();
    // the gateway needs two for each call, one either way, and is under the same limit
    FileHandles.requireFor(2L * form.mostAtOnce());
    List<Cell> cells = form.cells().stream().filter(cell -> calls.contains(cell.call())).toList();
    GatewayReport.header(arguments(), out);
    List<Reading> readings = new ArrayList<>();
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (ServiceProcess service = ServiceProcess.start(0, form.mostAtOnce());
                  Progress progress = Progress.on(out)) {
                Loads loads = new Loads(form, service.uri(), port, stop, progress);
                Consumer<Reading> table = Table.LOADS.table(out);
                progress.each(
                    cells,
                    stop,
                    cell -> {
                      service.requireAlive();
                      return loads.run(cell);
                    },
                    (cell, reading) -> {
                      if (reading.result().counts().due() > 0) {
                        readings.add(reading);
                        table.accept(reading);
                      }
                    });
              }
            });
    return report(new GatewayReport(readings, cells.size(), ending), out);
  }

  private List<String> calls() {
    List<String> all = List.of(Cell.HELLO, Cell.POST, Cell.SLOW);
    if (call != null && !all.contains(call)) {
      throw wrong("--call is " + call + ", expected hello, post or slow");
    }
    return call == null ? all : List.of(call);
  }
}
