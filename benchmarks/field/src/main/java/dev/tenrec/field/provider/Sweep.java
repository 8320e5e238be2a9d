// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.SystemProgram;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;

/**
 * A provider tuning its pool: threads, queue and kind of pool for three methods at 100 concurrent
 * calls, by settings changed while it runs; then two methods at once.
 */
@Command(
    name = "sweep",
    description = "Sweeps a pool: how threads and queue decide what a provider does under load.")
public final class Sweep extends SystemProgram {

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main(new Sweep(), arguments);
  }

  @Override
  protected int run(Stop stop, PrintStream out) throws Exception {
    Form form = form(Form.DEMO, Form.SHORT, Form.FULL);
    int port = port();
    FileHandles.requireFor(Form.USERS);
    SweepReport.header(arguments(), out);
    List<Measured> measured = new ArrayList<>();
    AtomicLong providerPid = new AtomicLong();
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (Bench bench = Bench.start(port, Form.USERS)) {
                providerPid.set(bench.providerPid());
                measure(form, bench, stop, out, measured);
              }
            });
    return report(new SweepReport(measured, form.points().size(), providerPid.get(), ending), out);
  }

  private static void measure(
      Form form, Bench bench, Stop stop, PrintStream out, List<Measured> measured)
      throws Exception {
    try (Progress progress = Progress.on(out)) {
      progress.show("warming up");
      for (Point point : form.warmUps()) {
        Measured unused = bench.run(point, form.warmUp(), stop);
      }
      Table table = new Table(out);
      progress.each(
          form.points(),
          stop,
          point -> bench.run(point, form.time(), stop),
          (point, one) -> {
            measured.add(one);
            table.rows(one);
          });
    }
  }
}
