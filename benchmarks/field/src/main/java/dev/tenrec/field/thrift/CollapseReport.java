// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.thrift.process.Sample;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the tables, and the files. */
final class CollapseReport {

  private final Measured measured;
  private final ReportWriter writer;

  CollapseReport(Measured measured, Ending ending) {
    this.measured = measured;
    this.writer =
        new ReportWriter(
            "system2", measured.runs(), measured.planned(), measured.differences(), ending);
  }

  static void header(List<String> arguments, Form form, PrintStream out) {
    ReportWriter.header(
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
            + " answered or not; counted from when calls were due. The injector's lag is how late it"
            + " sent them.");
  }

  void print(PrintStream out) {
    Shape.print(Ratios.of(measured), out);
    List<String> remarks =
        measured.surges().stream()
            .filter(run -> !run.remark().isEmpty())
            .map(run -> run.setup() + ": " + run.remark() + ", so that not all was compared")
            .toList();
    writer.verdict(out, "runs", "driver, consumers, commands and provider", remarks);
  }

  int write(Path directory, PrintStream out) throws Exception {
    writer.put("steady", measured.steady().stream().map(CollapseReport::steady).toList());
    writer.put("surges", measured.surges().stream().map(CollapseReport::surge).toList());
    writer.put("ratios", Ratios.of(measured).stream().map(Shape::json).toList());
    for (int payload : Form.PAYLOADS) {
      List<SurgeRun> runs =
          measured.surges().stream().filter(run -> run.setup().payloadBytes() == payload).toList();
      if (!runs.isEmpty()) {
        String name = payload / 1_000 + "kB-";
        writer.plot(name + "answered", answered(runs));
        writer.plot(name + "latency", latency(runs));
        writer.plot(name + "queue", queue(runs));
      }
    }
    return writer.write(directory, out);
  }

  private static Plot answered(List<SurgeRun> runs) {
    Plot plot =
        new Plot(
            runs.get(0).setup().payload() + ", open model: calls answered, by when they were due",
            new Axis("seconds", false),
            new Axis("answered, %", false));
    for (SurgeRun run : runs) {
      for (Window window : run.windows()) {
        double share = Total.of(List.of(window.result())).answeredShare();
        plot.add(run.setup().guard(), middle(run, window), 100 * share);
      }
    }
    return plot;
  }

  private static Plot latency(List<SurgeRun> runs) {
    Plot plot =
        new Plot(
            runs.get(0).setup().payload()
                + ", open model: p99 of calls, answered or not, since due",
            new Axis("seconds", false),
            new Axis("ms", true));
    for (SurgeRun run : runs) {
      for (Window window : run.windows()) {
        double p99 = window.result().waited().percentileMillis(99);
        plot.add(run.setup().guard(), middle(run, window), p99);
      }
    }
    return plot;
  }

  private static Plot queue(List<SurgeRun> runs) {
    Plot plot =
        new Plot(
            runs.get(0).setup().payload() + ": calls that wait in the provider for a worker",
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

  private static double middle(SurgeRun run, Window window) {
    return (window.number() + 0.5) * run.form().windowSeconds();
  }

  private static Map<String, @Nullable Object> steady(SteadyRun run) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("payloadBytes", run.setup().payloadBytes());
    told.put("model", run.result().plan().arrivals().label());
    told.put("users", run.users());
    told.put("perSecond", run.result().perSecond());
    told.put("providerCpuPercent", run.cpuPercent());
    putAll(told, Total.of(List.of(run.result())));
    return told;
  }

  private static Map<String, @Nullable Object> surge(SurgeRun run) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("payloadBytes", run.setup().payloadBytes());
    told.put("guarded", run.setup().guarded());
    told.put("attempts", run.setup().attempts());
    told.put("model", "open model");
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
    told.put("phases", phases);
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    putAll(all, run.total());
    told.put("withWarmUp", all);
    told.put("windows", run.windows().stream().map(window -> window(run, window)).toList());
    told.put("recoveredAfterSeconds", run.recoveredAfterSeconds().orElse(-1.0));
    told.put("quietAfterSeconds", run.quietAfterSeconds());
    told.put("remark", run.remark());
    told.put("mostQueued", run.mostQueued());
    told.put("doneForNobody", run.doneForNobody());
    run.counts().keySet().stream().sorted().forEach(name -> told.put(name, run.count(name)));
    return told;
  }

  private static Map<String, @Nullable Object> window(SurgeRun run, Window window) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("phase", window.phase().label());
    told.put("beginSecond", window.number() * run.form().windowSeconds());
    told.put("duePerSecond", window.perSecond());
    told.put("answeredOrNotP99Millis", window.result().waited().percentileMillis(99));
    told.put("injectorLagP99Millis", window.result().lag().percentileMillis(99));
    putAll(told, Total.of(List.of(window.result())));
    return told;
  }

  private static void putAll(Map<String, @Nullable Object> told, Total total) {
    told.put("due", total.due());
    told.put("sent", total.sent());
    told.put("neverSent", total.neverSent());
    told.put("answered", total.answered());
    told.put("failed", total.failed());
    told.put("refused", total.refused());
    told.put("mostInFlight", total.mostInFlight());
    told.put("meanMillis", total.sinceIntended().meanMillis());
    for (double percentile : new double[] {50, 95, 99}) {
      told.put(
          "p" + (int) percentile + "Millis", total.sinceIntended().percentileMillis(percentile));
    }
    told.put("maxMillis", total.sinceIntended().maxMillis());
    told.put("failures", total.failures());
  }
}
