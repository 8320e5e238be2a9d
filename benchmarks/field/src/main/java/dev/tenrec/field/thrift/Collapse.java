// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.kit.SystemProgram;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.Progress;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A provider that load drives into collapse, and consumers that go down with it, or do not: first
 * what one consumer gets out of it, then a surge from two of them, without a command around the
 * call and with one.
 */
@Command(
    name = "collapse",
    description = "A Thrift provider driven into collapse, and what a command does about it.")
public final class Collapse extends SystemProgram {

  @Option(names = "--payload", paramLabel = "N", description = "one payload only: 1 or 100 (kB)")
  private @Nullable Integer kilobytes;

  @Option(
      names = "--clients",
      description =
          "no collapse: one client for all threads against a pool of them (half a minute)")
  private boolean clients;

  @Option(
      names = "--servers",
      description =
          "no collapse: other numbers of threads, and other servers (a minute and a half)")
  private boolean servers;

  @Option(
      names = "--guards",
      description = "the same surge on other limits, with a circuit and without (two minutes)")
  private boolean guards;

  @Option(
      names = "--attempts",
      description =
          "the same surge, and a full outage, with no retries, with retries on a budget or on none,"
              + " and with hedges (three minutes)")
  private boolean attempts;

  /**
   * Runs it.
   *
   * @param arguments see {@code --help}
   */
  public static void main(String[] arguments) {
    Program.main(new Collapse(), arguments);
  }

  @Override
  protected int run(Stop stop, PrintStream out) throws Exception {
    Form form = form(Form.DEMO, Form.SHORT, guards ? Form.GUARDS : Form.FULL);
    int port = port();
    List<Integer> payloads = payloads();
    DirectLoad direct = new DirectLoad(form, port, stop);
    if (clients) {
      return report(new Clients(direct).run(stop, out), out);
    }
    if (servers) {
      return report(new Servers(direct, form).run(stop, out), out);
    }
    if (attempts) {
      return attempts(port, stop, out);
    }
    FileHandles.requireFor(form.mostCallers());
    CollapseReport.header(arguments(), form, out);
    Trial trial = new Trial(form, port, stop);
    return report(run(form, payloads, trial, stop, out), out);
  }

  private int attempts(int port, Stop stop, PrintStream out) throws Exception {
    Form form = form(Form.ATTEMPTS_DEMO, Form.SHORT, Form.ATTEMPTS);
    FileHandles.requireFor(form.mostCallers());
    CollapseReport.header(arguments(), form, out);
    return report(new Strategies(form, new Trial(form, port, stop), stop).run(out), out);
  }

  /** Measures all, by any trial. */
  static CollapseReport run(
      Form form, List<Integer> payloads, Trial trial, Stop stop, PrintStream out)
      throws InterruptedException {
    Measured measured = new Measured(planned(form, payloads), new ArrayList<>(), new ArrayList<>());
    Ending ending = Ending.of(stop, () -> measure(form, payloads, trial, stop, out, measured));
    return new CollapseReport(measured, ending);
  }

  private List<Integer> payloads() {
    if (kilobytes == null) {
      return isDemo() || guards ? Form.PAYLOADS.subList(0, 1) : Form.PAYLOADS;
    }
    int bytes = kilobytes * 1_000;
    if (!Form.PAYLOADS.contains(bytes)) {
      throw wrong("--payload is " + kilobytes + ", expected 1 or 100");
    }
    return List.of(bytes);
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
    try (Progress progress = Progress.on(out)) {
      Table table = new Table(out);
      Map<Integer, Double> capacities = new LinkedHashMap<>();
      Consumer<SteadyRun> steady = table.steady();
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
                    steady.accept(run);
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
}
