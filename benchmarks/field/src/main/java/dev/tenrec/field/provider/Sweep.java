// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.Words;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A provider tuning its pool: threads, queue and kind of pool for three methods at 100 concurrent
 * calls, by settings changed while it runs; then two methods at once.
 */
public final class Sweep {

  private static final String USAGE =
      """
      The sweep of a provider's pool: how threads and queue decide what it does under load.
        --short        fewer and shorter points: some seconds
        --port N       where the provider listens (default: a free port)
        --directory D  where results are written (default benchmarks/field/target, or target from within benchmarks/field)
      Ctrl-C ends it with the results so far.
      """;

  private Sweep() {}

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main("sweep", USAGE, arguments, Sweep::run);
  }

  static int run(List<String> arguments, Stop stop, PrintStream out) throws Exception {
    Form form = Form.FULL;
    int port = 0;
    Path directory = Words.defaultDirectory();
    Words words = new Words(arguments);
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "--short" -> form = Form.SHORT;
        case "--port" -> port = words.number(word, 0, 65_535);
        case "--directory" -> directory = Path.of(words.value(word));
        default -> throw new IllegalArgumentException("unknown argument " + word);
      }
    }
    FileHandles.requireFor(Form.USERS);
    SweepReport.header(arguments, out);
    List<Measured> measured = new ArrayList<>();
    AtomicLong providerPid = new AtomicLong();
    int providerPort = port;
    Form chosen = form;
    Ending ending =
        Ending.of(
            stop,
            () -> {
              try (Bench bench = Bench.start(providerPort, Form.USERS)) {
                providerPid.set(bench.providerPid());
                measure(chosen, bench, stop, out, measured);
              }
            });
    SweepReport report = new SweepReport(measured, form.points().size(), providerPid.get(), ending);
    report.print(out);
    return report.write(directory, out);
  }

  /** Each point after the other, until all are done or somebody asks for the end. */
  private static void measure(
      Form form, Bench bench, Stop stop, PrintStream out, List<Measured> measured)
      throws Exception {
    Progress progress = Progress.on(out);
    progress.show("warming up");
    for (Point point : form.warmUps()) {
      Measured unused = bench.run(point, form.warmUp(), stop);
    }
    List<Point> points = form.points();
    Table table = new Table(out);
    for (Point point : points) {
      if (stop.asked()) {
        break;
      }
      progress.show((measured.size() + 1) + " of " + points.size() + ": " + point);
      Measured one = bench.run(point, form.time(), stop);
      progress.end();
      measured.add(one);
      table.rows(one);
    }
  }
}
