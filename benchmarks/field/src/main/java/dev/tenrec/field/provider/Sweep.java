// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.SystemProgram;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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

  @Option(
      names = "--part",
      paramLabel = "P",
      description = "one part only: ${COMPLETION-CANDIDATES}; may be given several times")
  private Set<Part> chosen = EnumSet.noneOf(Part.class);

  @Override
  protected int run(Stop stop, PrintStream out) throws Exception {
    Form form = form(Form.DEMO, Form.SHORT, Form.FULL);
    int port = port();
    Set<Part> parts = chosen.isEmpty() ? EnumSet.allOf(Part.class) : chosen;
    FileHandles.requireFor(Form.USERS);
    SweepReport.header(arguments(), out);
    List<Measured> measured = new ArrayList<>();
    List<Canary.Phase> phases = new ArrayList<>();
    AtomicLong providerPid = new AtomicLong();
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (Bench bench = Bench.start(port, Form.USERS)) {
                providerPid.set(bench.providerPid());
                measure(form, parts, bench, stop, out, measured);
              }
              if (parts.contains(Part.CANARY) && !stop.asked()) {
                try (Canary canary = Canary.start()) {
                  measure(form, canary, stop, out, phases);
                }
              }
            });
    return report(
        new SweepReport(measured, phases, form.planned(parts), providerPid.get(), ending), out);
  }

  private static void measure(
      Form form, Set<Part> parts, Bench bench, Stop stop, PrintStream out, List<Measured> measured)
      throws Exception {
    try (Progress progress = Progress.on(out)) {
      progress.show("warming up");
      for (Point point : form.warmUps()) {
        Measured unused = bench.run(point, form.warmUp(), stop);
      }
      Table table = new Table(out);
      BiConsumer<Point, Measured> each =
          (point, one) -> {
            measured.add(one);
            table.rows(one);
          };
      progress.each(form.points(parts), stop, point -> bench.run(point, form.time(), stop), each);
      if (parts.contains(Part.CAPACITY) && !stop.asked()) {
        double capacity = new Runs(measured).capacity().orElseThrow().perSecond(Method.FOLLOW);
        progress.each(
            form.bySchedule(capacity), stop, point -> bench.run(point, form.time(), stop), each);
      }
    }
  }

  private static void measure(
      Form form, Canary canary, Stop stop, PrintStream out, List<Canary.Phase> phases)
      throws Exception {
    try (Progress progress = Progress.on(out)) {
      progress.show("canary: warming up");
      canary.warmUp(form.warmUp(), stop);
      Consumer<Canary.Phase> table = Table.phases(out);
      canary.run(
          form.time(),
          stop,
          progress,
          phase -> {
            phases.add(phase);
            table.accept(phase);
          });
    }
  }
}
