// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.load.comparison;

import dev.tenrec.examples.load.Progress;
import dev.tenrec.examples.load.Stop;
import dev.tenrec.examples.load.engine.Engines;
import dev.tenrec.examples.load.service.ServiceProcess;
import dev.tenrec.examples.shared.Words;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Generating a large load from a small machine: four ways to have up to 5,000 calls in flight, in a
 * larger and a smaller heap, against a service that answers at once and one that takes its time.
 */
public final class Comparison {

  /** Every cell that was run is accounted for. */
  public static final int HOLDS = 0;

  private static final int DOES_NOT_HOLD = 1;
  private static final int USAGE = 2;
  private static final String USAGE_TEXT =
      """
      The comparison of engines: a table of how they fare.
        --short        few calls, under 20 seconds
        --engine E     one engine only: thread, pool, async or virtual
        --port N       where the service listens (default: a free port)
        --directory D  where results are written (default examples/target, or target from within examples)
      Ctrl-C ends it with the results so far.
      """;

  private Comparison() {}

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) throws Exception {
    if (List.of(arguments).contains("--help")) {
      System.out.print(USAGE_TEXT);
      return;
    }
    int code;
    try (Stop stop = Stop.onCtrlC()) {
      code = tell(arguments, stop);
    }
    System.exit(code);
  }

  /** After Ctrl-C the JVM ends when the stop is closed, so all has to be said before. */
  private static int tell(String[] arguments, Stop stop) {
    try {
      return run(List.of(arguments), stop, System.out);
    } catch (IllegalArgumentException wrong) {
      System.err.println("comparison: " + wrong.getMessage());
      System.err.print(USAGE_TEXT);
    } catch (IllegalStateException | IOException impossible) {
      System.err.println("comparison: " + impossible.getMessage());
    } catch (Exception unexpected) {
      System.err.println("comparison: " + unexpected);
    }
    return USAGE;
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
    Paper.header(arguments, out);
    Map<Cell, Figures> measured;
    try (ServiceProcess service = ServiceProcess.start(port, form.mostUsers())) {
      measured = measure(cells, service.uri(), form.seconds(), stop, out);
    }
    Paper paper = new Paper(measured, cells.size());
    paper.print(out);
    paper.write(directory).forEach(file -> out.println("Written to " + file));
    return paper.holds() ? HOLDS : DOES_NOT_HOLD;
  }

  /** Each cell after the other, until all are done or somebody asks for the end. */
  static Map<Cell, Figures> measure(
      List<Cell> cells, URI service, int seconds, Stop stop, PrintStream out)
      throws IOException, InterruptedException {
    Map<Cell, Figures> measured = new LinkedHashMap<>();
    Progress progress = Progress.on(out);
    Table table = new Table(out);
    table.head();
    for (Cell cell : cells) {
      if (stop.asked()) {
        break;
      }
      progress.show((measured.size() + 1) + " of " + cells.size() + ": " + cell);
      Figures figures = CellProcess.run(cell, service, seconds, stop);
      progress.end();
      measured.put(cell, figures);
      table.row(cell, figures);
    }
    return measured;
  }
}
