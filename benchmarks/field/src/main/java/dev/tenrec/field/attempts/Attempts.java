// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.attempts;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.SystemProgram;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.service.ServiceProcess;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Hedges before a service with a slow tail, and deadlines that travel through three services. */
@Command(
    name = "attempts",
    description = "What hedges and deadlines that travel bring, and what they cost.")
public final class Attempts extends SystemProgram {

  /** Connections, at both ends. */
  private static final int MOST_CONNECTIONS = 4_000;

  private static final boolean[] WITHOUT_AND_WITH = {false, true};

  @Option(names = "--tail", description = "the hedges only")
  private boolean tailOnly;

  @Option(names = "--chain", description = "the deadlines only")
  private boolean chainOnly;

  private final List<TailRun> tails = new ArrayList<>();
  private final List<ChainRun> chains = new ArrayList<>();

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main(new Attempts(), arguments);
  }

  @Override
  protected int run(Stop stop, PrintStream out) throws Exception {
    TailForm tail = form(TailForm.DEMO, TailForm.SHORT, TailForm.FULL);
    ChainForm chain = form(ChainForm.DEMO, ChainForm.SHORT, ChainForm.FULL);
    int port = port();
    if (tailOnly && chainOnly) {
      throw wrong("--tail and --chain were given, expected one of them at most");
    }
    FileHandles.requireFor(MOST_CONNECTIONS);
    ReportWriter.header(
        out,
        "attempts",
        "benchmarks/field",
        arguments(),
        "driver and services",
        "Open model: calls by schedule. Latencies are those of answered calls, since intended.");
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (Progress progress = Progress.on(out)) {
                if (!chainOnly) {
                  tails(tail, port, progress, stop, out);
                }
                if (!tailOnly) {
                  chains(chain, progress, stop, out);
                }
              }
            });
    int planned = tailOnly || chainOnly ? 2 : 4;
    return report(new AttemptsReport(tails, chains, planned, ending), out);
  }

  private void tails(TailForm form, int port, Progress progress, Stop stop, PrintStream out)
      throws Exception {
    Consumer<TailRun> table = Tables.TAIL.table(out, Tables.title(form));
    progress.show("the service with a slow tail begins");
    try (ServiceProcess service = ServiceProcess.start(port, MOST_CONNECTIONS)) {
      TailRun.warmUp(form, service, stop);
      for (boolean hedged : WITHOUT_AND_WITH) {
        if (!stop.asked()) {
          progress.show(TailRun.label(form, hedged));
          TailRun run = TailRun.measure(form, hedged, service, stop);
          progress.end();
          tails.add(run);
          table.accept(run);
        }
      }
    }
  }

  private void chains(ChainForm form, Progress progress, Stop stop, PrintStream out)
      throws Exception {
    Consumer<ChainRun> table = Tables.CHAIN.table(out, Tables.title(form));
    for (boolean deadlines : WITHOUT_AND_WITH) {
      if (!stop.asked()) {
        progress.show(ChainRun.label(deadlines));
        ChainRun run = ChainRun.measure(form, deadlines, stop);
        progress.end();
        chains.add(run);
        table.accept(run);
      }
    }
    Consumer<Tables.Piece> services = Tables.SERVICES.table(out, "What each service did:");
    for (ChainRun run : chains) {
      run.services().forEach(work -> services.accept(new Tables.Piece(run, work)));
    }
  }
}
