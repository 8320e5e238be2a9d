// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.Words;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A provider that load drives into collapse, and consumers that go down with it, or do not: first
 * what one consumer gets out of it, then a surge from two of them, without a command around the
 * call and with one.
 */
public final class Collapse {

  private static final String USAGE =
      """
      A Thrift provider driven into collapse, and what a command does about it.
        --short        little load, under 20 seconds
        --payload N    one payload only: 1 or 100 (kB)
        --port N       where providers listen, one after the other (default: free ports)
        --directory D  where results are written (default benchmarks/field/target, or target from within benchmarks/field)
      Ctrl-C ends it with the results so far.
      """;

  private Collapse() {}

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main("collapse", USAGE, arguments, Collapse::run);
  }

  static int run(List<String> arguments, Stop stop, PrintStream out) throws Exception {
    Form form = Form.FULL;
    List<Integer> payloads = Form.PAYLOADS;
    int port = 0;
    Path directory = Words.defaultDirectory();
    Words words = new Words(arguments);
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "--short" -> form = Form.SHORT;
        case "--payload" -> payloads = List.of(payload(words.value(word)));
        case "--port" -> port = words.number(word, 0, 65_535);
        case "--directory" -> directory = Path.of(words.value(word));
        default -> throw new IllegalArgumentException("unknown argument " + word);
      }
    }
    FileHandles.requireFor(form.mostCallers());
    CollapseReport.header(arguments, form, out);
    Trial trial = new Trial(form, port, stop);
    return run(form, payloads, trial, stop, directory, out);
  }

  /** The same, with any trial. */
  static int run(
      Form form, List<Integer> payloads, Trial trial, Stop stop, Path directory, PrintStream out)
      throws Exception {
    Measured measured = new Measured(planned(form, payloads), new ArrayList<>(), new ArrayList<>());
    Ending ending = Ending.of(stop, () -> measure(form, payloads, trial, stop, out, measured));
    CollapseReport report = new CollapseReport(measured, ending);
    report.print(out);
    return report.write(directory, out);
  }

  private static int payload(String kilobytes) {
    return switch (kilobytes) {
      case "1" -> Form.PAYLOADS.get(0);
      case "100" -> Form.PAYLOADS.get(1);
      default ->
          throw new IllegalArgumentException("--payload is " + kilobytes + ", expected 1 or 100");
    };
  }

  private static int planned(Form form, List<Integer> payloads) {
    int planned = 0;
    for (int payload : payloads) {
      planned += levels(form, payloads, payload).size();
      planned += form.surges(payload).size();
    }
    return planned;
  }

  /** Of a closed load on one consumer; more than one only for the first payload. */
  private static List<Integer> levels(Form form, List<Integer> payloads, int payload) {
    if (payload == payloads.get(0)) {
      return form.users();
    }
    // there only where a capacity is needed
    return form.full() ? form.users().subList(0, 1) : List.of();
  }

  /** Each run after the other, until all are done or somebody asks for the end. */
  private static void measure(
      Form form, List<Integer> payloads, Trial trial, Stop stop, PrintStream out, Measured measured)
      throws Exception {
    Progress progress = Progress.on(out);
    Table table = new Table(out);
    Map<Integer, Double> capacities = new LinkedHashMap<>();
    table.steadyHead();
    for (int payload : payloads) {
      List<Integer> users = levels(form, payloads, payload);
      if (!stop.asked() && !users.isEmpty()) {
        progress.show("one consumer, " + payload / 1_000 + " kB");
        List<SteadyRun> runs =
            trial.steady(
                payload,
                users,
                run -> {
                  progress.end();
                  table.steady(run);
                  measured.steady().add(run);
                });
        runs.stream()
            .findFirst()
            .ifPresent(run -> capacities.put(payload, run.result().perSecond()));
      }
    }
    table.surgeHead(form);
    double anyCapacity = capacities.values().stream().findFirst().orElse(0.0);
    for (int payload : payloads) {
      for (Setup setup : form.surges(payload)) {
        if (!stop.asked()) {
          progress.show("a surge, " + setup);
          double capacity = capacities.getOrDefault(payload, anyCapacity);
          SurgeRun run = trial.surge(setup, capacity);
          progress.end();
          measured.surges().add(run);
          table.surge(run);
        }
      }
    }
    table.ends();
  }
}
