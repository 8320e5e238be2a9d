// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.Result;
import dev.tenrec.field.thrift.process.Sample;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What stands around the tables, and the files. */
final class CollapseReport extends ReportWriter {

  private final Measured measured;

  CollapseReport(Measured measured, Ending ending) {
    super("system2", measured.runs(), measured.planned(), measured.differences(), ending);
    this.measured = measured;
  }

  static void header(List<String> arguments, Form form, PrintStream out) {
    header(
        out,
        "system2",
        "benchmarks/field",
        arguments,
        "driver, consumers and provider; provider with "
            + Form.PROVIDER_HEAP_MEGABYTES
            + " MB of heap, "
            + form.additions()
            + " additions a call",
        "Latencies are those of answered calls, and where it says so those of all that ended,"
            + " answered or not; counted from when calls were due. The injector's lag is how late"
            + " it sent them.");
  }

  @Override
  protected void print(PrintStream out) {
    Shape.print(shapes(), out);
    List<String> remarks =
        measured.surges().stream()
            .filter(run -> !run.remark().isEmpty())
            .map(run -> run.setup() + ": " + run.remark() + ", so that not all was compared")
            .toList();
    verdict(out, "runs", "driver, consumers, commands and provider", remarks);
  }

  @Override
  protected List<Shape> shapes() {
    return Ratios.of(measured);
  }

  /** What a surge came to with and without the guard. */
  @Override
  protected List<String> summary() {
    List<String> lines = new ArrayList<>();
    for (SurgeRun run : measured.surges()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s, %s: answered %.0f %% in the surge, %.0f %% after it; recovered after s: %s",
              run.setup().payload(),
              run.setup().guard(),
              100 * run.total(Phase.SURGE).answeredShare(),
              100 * run.total(Phase.AFTER).answeredShare(),
              run.recoveredSaid()));
      lines.add(
          String.format(
              Locale.ROOT,
              "%s, %s: of %d calls the provider did, %d were for callers that had gone",
              run.setup().payload(),
              run.setup().guard(),
              run.count("p.done"),
              run.doneForNobody()));
    }
    measured.steady().stream()
        .findFirst()
        .ifPresent(
            run ->
                lines.add(
                    0,
                    String.format(
                        Locale.ROOT,
                        "the provider can do %.0f calls a second (10 users, %s of them there)",
                        run.result().perSecond(),
                        run.result().presence().said())));
    return lines;
  }

  @Override
  protected void fill() {
    put("steady", measured.steady().stream().map(CollapseReport::steady).toList());
    put("surges", measured.surges().stream().map(CollapseReport::surge).toList());
    for (int payload : Form.PAYLOADS) {
      List<SurgeRun> runs =
          measured.surges().stream().filter(run -> run.setup().payloadBytes() == payload).toList();
      if (!runs.isEmpty()) {
        String name = payload / 1_000 + "kB-";
        plot(name + "answered", answered(runs));
        plot(name + "latency", latency(runs));
        plot(name + "queue", queue(runs));
      }
    }
  }

  private static Plot answered(List<SurgeRun> runs) {
    return windows(
        runs,
        ", open model: calls answered, by when they were due",
        new Axis("answered, %", false),
        result -> 100 * Total.of(List.of(result)).answeredShare());
  }

  private static Plot latency(List<SurgeRun> runs) {
    return windows(
        runs,
        ", open model: p99 of calls, answered or not, since due",
        new Axis("ms", true),
        result -> result.waited().percentileMillis(99));
  }

  private static Plot windows(
      List<SurgeRun> runs, String title, Axis up, ToDoubleFunction<Result> figure) {
    Plot plot = new Plot(runs.get(0).setup().payload() + title, new Axis("seconds", false), up);
    for (SurgeRun run : runs) {
      for (Window window : run.windows()) {
        double middle = (window.number() + 0.5) * run.form().windowSeconds();
        plot.add(run.setup().guard(), middle, figure.applyAsDouble(window.result()));
      }
    }
    return plot;
  }

  /** What waits in the provider, for each of these runs. */
  static Plot queue(List<SurgeRun> runs) {
    Plot plot =
        new Plot(
            (runs.isEmpty() ? "" : runs.get(0).setup().payload() + ": ")
                + "calls that wait in the provider for a worker",
            new Axis("seconds", false),
            new Axis("calls", false));
    for (SurgeRun run : runs) {
      for (int i = 0; i < run.samples().size(); i += 5) {
        Sample sample = run.samples().get(i);
        plot.add(run.setup().guard(), sample.nanos() / 1e9, (double) sample.value("queued"));
      }
    }
    return plot;
  }

  static Map<String, @Nullable Object> steady(SteadyRun run) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("payloadBytes", run.setup().payloadBytes());
    json.put("model", run.result().plan().arrivals().label());
    json.put("users", run.users());
    json.put("usersThere", run.result().presence().json());
    json.put("perSecond", run.result().perSecond());
    json.put("providerCpuPercent", run.cpuPercent());
    putAll(json, Total.of(List.of(run.result())));
    return json;
  }

  static Map<String, @Nullable Object> surge(SurgeRun run) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("payloadBytes", run.setup().payloadBytes());
    json.put("guarded", run.setup().guarded());
    json.put("circuit", run.setup().around() == Guard.FULL);
    json.put("attempts", run.setup().attempts());
    json.put("model", "open model");
    Map<String, @Nullable Object> phases = new LinkedHashMap<>();
    for (Phase phase : Phase.values()) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      putAll(one, run.total(phase));
      Total total = run.total(phase);
      one.put("answeredOrNotP99Millis", total.waited().percentileMillis(99));
      one.put("answeredOrNotMaxMillis", total.waited().maxMillis());
      one.put("injectorLagP99Millis", total.lag().percentileMillis(99));
      one.put("injectorLagMaxMillis", total.lag().maxMillis());
      one.put("providerCpuPercent", run.cpuPercent(phase));
      one.put("providerGcPercent", run.gcPercent(phase));
      phases.put(phase.label(), one);
    }
    json.put("phases", phases);
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    putAll(all, run.total());
    json.put("withWarmUp", all);
    json.put("windows", run.windows().stream().map(window -> window(run, window)).toList());
    OptionalDouble recovered = run.recoveredAfterSeconds();
    json.put("collapsed", run.hasCollapsed());
    json.put("recoveredAfterSeconds", recovered.isPresent() ? recovered.getAsDouble() : null);
    json.put("quietAfterSeconds", run.quietAfterSeconds());
    json.put("remark", run.remark());
    json.put("mostQueued", run.mostQueued());
    json.put("doneForNobody", run.doneForNobody());
    run.counts().keySet().stream().sorted().forEach(name -> json.put(name, run.count(name)));
    return json;
  }

  private static Map<String, @Nullable Object> window(SurgeRun run, Window window) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("phase", window.phase().label());
    json.put("beginSecond", window.number() * run.form().windowSeconds());
    json.put("duePerSecond", window.perSecond());
    json.put("answeredOrNotP99Millis", window.result().waited().percentileMillis(99));
    json.put("injectorLagP99Millis", window.result().lag().percentileMillis(99));
    putAll(json, Total.of(List.of(window.result())));
    return json;
  }

  private static void putAll(Map<String, @Nullable Object> json, Total total) {
    json.put("due", total.due());
    json.put("sent", total.sent());
    json.put("neverSent", total.neverSent());
    json.put("answered", total.answered());
    json.put("failed", total.failed());
    json.put("refused", total.refused());
    json.put("mostInFlight", total.mostInFlight());
    json.put("meanMillis", total.sinceIntended().meanMillis());
    for (double percentile : new double[] {50, 95, 99}) {
      json.put(
          "p" + (int) percentile + "Millis", total.sinceIntended().percentileMillis(percentile));
    }
    json.put("maxMillis", total.sinceIntended().maxMillis());
    json.put("failures", total.failures());
  }
}
