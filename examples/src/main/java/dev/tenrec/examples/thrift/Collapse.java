// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.thrift;

import dev.tenrec.examples.load.FileHandles;
import dev.tenrec.examples.load.Progress;
import dev.tenrec.examples.load.Stop;
import dev.tenrec.examples.shared.Words;
import java.io.IOException;
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

  /** Every run is accounted for. */
  public static final int HOLDS = 0;

  private static final int DOES_NOT_HOLD = 1;
  private static final int USAGE = 2;
  private static final String USAGE_TEXT =
      """
      A Thrift provider driven into collapse, and what a command does about it.
        --short        little load, under 20 seconds
        --payload N    one payload only: 1 or 100 (kB)
        --port N       where providers listen, one after the other (default: free ports)
        --directory D  where results are written (default examples/target, or target from within examples)
      Ctrl-C ends it with the results so far.
      """;

  private Collapse() {}

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
      System.err.println("collapse: " + wrong.getMessage());
      System.err.print(USAGE_TEXT);
    } catch (IllegalStateException | IOException impossible) {
      System.err.println("collapse: " + impossible.getMessage());
    } catch (Exception unexpected) {
      System.err.println("collapse: " + unexpected);
    }
    return USAGE;
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
    Paper.header(arguments, form, out);
    Measured measured = measure(form, payloads, port, stop, out);
    Paper paper = new Paper(measured);
    paper.print(out);
    paper.write(directory).forEach(file -> out.println("Written to " + file));
    return paper.holds() ? HOLDS : DOES_NOT_HOLD;
  }

  private static int payload(String kilobytes) {
    return switch (kilobytes) {
      case "1" -> Form.PAYLOADS.get(0);
      case "100" -> Form.PAYLOADS.get(1);
      default ->
          throw new IllegalArgumentException("--payload is " + kilobytes + ", expected 1 or 100");
    };
  }

  /** Each run after the other, until all are done or somebody asks for the end. */
  private static Measured measure(
      Form form, List<Integer> payloads, int port, Stop stop, PrintStream out) throws Exception {
    Trial trial = new Trial(form, port, stop);
    Progress progress = Progress.on(out);
    Table table = new Table(out);
    List<SteadyRun> steady = new ArrayList<>();
    List<SurgeRun> surges = new ArrayList<>();
    Map<Integer, Double> capacities = new LinkedHashMap<>();
    int planned = 0;
    table.steadyHead();
    for (int payload : payloads) {
      // the larger payload only where a capacity is needed
      List<Integer> users = payload == payloads.get(0) ? form.users() : form.users().subList(0, 1);
      if (form.full() || capacities.isEmpty()) {
        planned += users.size();
      }
      if (!stop.asked() && (form.full() || capacities.isEmpty())) {
        progress.show("one consumer, " + payload / 1_000 + " kB");
        List<SteadyRun> runs = trial.steady(payload, users);
        progress.end();
        runs.forEach(table::steady);
        steady.addAll(runs);
        runs.stream()
            .findFirst()
            .ifPresent(run -> capacities.put(payload, run.result().perSecond()));
      }
    }
    table.surgeHead(form);
    double anyCapacity = capacities.values().stream().findFirst().orElse(0.0);
    for (int payload : payloads) {
      for (Setup setup : form.surges(payload)) {
        planned++;
        if (!stop.asked()) {
          progress.show("a surge, " + setup);
          double capacity = capacities.getOrDefault(payload, anyCapacity);
          SurgeRun run = trial.surge(setup, capacity);
          progress.end();
          surges.add(run);
          table.surge(run);
        }
      }
    }
    table.ends();
    return new Measured(planned, steady, surges);
  }
}
