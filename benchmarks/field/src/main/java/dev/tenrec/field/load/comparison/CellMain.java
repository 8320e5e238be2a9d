// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import dev.tenrec.field.kit.Lifeline;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Driver;
import dev.tenrec.field.load.FileHandles;
import dev.tenrec.field.load.GuardedTarget;
import dev.tenrec.field.load.Plan;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.load.engine.Target;
import dev.tenrec.field.load.http.HttpAddress;
import dev.tenrec.field.load.http.HttpTarget;
import dev.tenrec.field.load.service.ServiceCounts;
import java.io.IOException;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Runs one cell, in the JVM that was started for it, when it is asked to, and reports its figures
 * to the other one. The end of its input ends its load.
 */
public final class CellMain {

  static final String BEGIN = "begin";
  private static final String FIGURES = "figures";

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** After Ctrl-C, or at the end of the time; longer than the slow service takes. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final int WARM_UP_USERS = 20;
  private static final int WARM_UP_REQUESTS = 2_000;

  private CellMain() {}

  /** Runs it. */
  public static void main(String[] arguments) {
    Lifeline.run("cell", () -> start(List.of(arguments)));
  }

  private static Lifeline.Service start(List<String> words) {
    Cell cell = Cell.of(words);
    URI service = URI.create(words.get(0));
    Duration longest = Duration.ofMillis(Long.parseLong(words.get(6)));
    FileHandles.requireFor(cell.users());
    Stop stop = Stop.onDemand();
    Thread load = new Thread(() -> Lifeline.report(measure(cell, service, longest, stop)), "cell");
    return new Lifeline.Service(
        cell.toString(),
        Map.of(
            BEGIN,
            rest -> {
              load.start();
              return null;
            }),
        () -> {
          stop.ask();
          load.join();
        });
  }

  private static Map<String, String> measure(Cell cell, URI service, Duration longest, Stop stop) {
    Figures figures;
    try {
      warmUp(cell, service, stop);
      ServiceCounts.reset(service);
      figures = run(cell, service, longest, stop);
    } catch (IOException | IllegalStateException impossible) {
      figures = Figures.broken("did not run: " + impossible.getMessage());
    } catch (Exception | Error unexpected) {
      figures = Figures.broken("did not run: " + unexpected);
    }
    return Map.of(FIGURES, URLEncoder.encode(figures.text(), StandardCharsets.UTF_8));
  }

  /** Back from what the other JVM reported. */
  static Figures figures(Map<String, String> report) throws IOException {
    String text = URLDecoder.decode(report.getOrDefault(FIGURES, ""), StandardCharsets.UTF_8);
    return Figures.read(new StringReader(text));
  }

  /** So that it is not the loading of classes that is measured. */
  private static void warmUp(Cell cell, URI service, Stop stop) throws Exception {
    Cell quick =
        new Cell(
            cell.heapMegabytes(),
            0,
            cell.engine(),
            Math.min(cell.users(), WARM_UP_USERS),
            cell.isByTime() ? WARM_UP_REQUESTS : Math.min(cell.requests(), WARM_UP_REQUESTS),
            0);
    try (Target target = target(quick, service)) {
      Result unused = drive(quick, target, Duration.ofSeconds(10), stop);
    }
  }

  private static Figures run(Cell cell, URI service, Duration longest, Stop stop) throws Exception {
    try (Target target = target(cell, service)) {
      if (cell.permits() == 0) {
        Result result = drive(cell, target, longest, stop);
        return Figures.of(result, ServiceCounts.of(service), threads(), null);
      }
      try (GuardedTarget guarded = new GuardedTarget(target, cell.permits())) {
        Result result = drive(cell, guarded, longest, stop);
        return Figures.of(result, ServiceCounts.of(service), threads(), guarded);
      }
    }
  }

  private static Target target(Cell cell, URI service) {
    URI delayed = service.resolve("/delay/" + cell.delayMillis());
    return new HttpTarget(HttpAddress.of(delayed.toString()), TIMEOUT, Cell.THREADS);
  }

  private static Result drive(Cell cell, Target target, Duration longest, Stop stop)
      throws Exception {
    Plan plan =
        new Plan(
            cell.engine(),
            Cell.THREADS,
            new Arrivals.Closed(cell.users()),
            cell.isByTime() ? Plan.MOST_REQUESTS : cell.requests(),
            longest,
            PATIENCE);
    return new Driver(plan, target, stop, Progress.none()).run();
  }

  private static int threads() {
    return ManagementFactory.getThreadMXBean().getPeakThreadCount();
  }
}
