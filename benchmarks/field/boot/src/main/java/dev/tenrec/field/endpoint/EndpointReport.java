// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.MarkdownTable;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.load.Result;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the table of runs, and the files. */
final class EndpointReport {

  private final Measured measured;
  private final ReportWriter writer;

  EndpointReport(Measured measured, Ending ending) {
    this.measured = measured;
    this.writer =
        new ReportWriter(
            "system1", measured.all().size(), Measured.PLANNED, measured.differences(), ending);
  }

  static void header(List<String> arguments, PrintStream out) {
    ReportWriter.header(
        out,
        "system1",
        "benchmarks/field/boot",
        arguments,
        "driver, application and service",
        "Closed model: users, each calling again when answered; it flatters. Open model: by"
            + " schedule.",
        "Latencies are those of answers, a fallback's among them, since intended.");
  }

  void print(PrintStream out) {
    sizing(out);
    live(out);
    out.println();
    out.println("Original beside ours, each in units of its own first row:");
    out.println();
    Ratios.of(measured).print(out);
    writer.verdict(out, "runs", "driver, command, application and service", List.of());
  }

  int write(Path directory, PrintStream out) throws Exception {
    writer.put("runs", measured.runs().stream().map(EndpointReport::run).toList());
    measured.sizing().ifPresent(sizing -> writer.put("sizing", sizing(sizing)));
    measured
        .live()
        .ifPresent(
            seen -> {
              Map<String, @Nullable Object> live = run(seen.run());
              live.put("phases", seen.phases().stream().map(EndpointReport::phase).toList());
              writer.put("live", live);
              writer.plot("live", plot(seen));
            });
    writer.put("ratios", Ratios.of(measured).rows().stream().map(EndpointReport::ratio).toList());
    return writer.write(directory, out);
  }

  private void sizing(PrintStream out) {
    Run open = measured.open(Configuration.UNGUARDED).orElse(null);
    Sizing sizing = measured.sizing().orElse(null);
    if (open == null || sizing == null) {
      return;
    }
    Result result = open.result();
    out.println();
    out.printf(
        Locale.ROOT,
        "Sizing, from the open run of the unguarded endpoint: %s/s, p99 %.1f ms, p99.5 %.1f ms,"
            + " 10 %% tolerated: core %d, maximum %d, queue %d, time-out %d ms, fallbacks %d,"
            + " error threshold %d %%%n",
        Settings.perSecond(result),
        result.sinceIntended().percentileMillis(99),
        result.sinceIntended().percentileMillis(99.5),
        sizing.coreSize(),
        sizing.maximumSize(),
        sizing.queueSize(),
        sizing.timeout().toMillis(),
        sizing.fallbackPermits(),
        sizing.errorThresholdPercentage());
  }

  private void live(PrintStream out) {
    LiveChange.Seen seen = measured.live().orElse(null);
    if (seen == null) {
      return;
    }
    out.println();
    MarkdownTable table =
        new MarkdownTable(
            out,
            "in force | said by | known after ms | felt after ms | core | most threads at work"
                + " | the dependency's answers/s | mean ms");
    for (LivePhase phase : seen.phases()) {
      table.row(
          String.format(
              Locale.ROOT,
              "%s | %s | %s | %s | %d | %d | %.1f | %.1f",
              phase.title(),
              phase.source(),
              millis(phase.knownMillis()),
              millis(phase.feltMillis()),
              phase.coreSize(),
              phase.mostActive(),
              phase.pace().perSecond(),
              phase.pace().meanMillis()));
    }
  }

  private static String millis(double millis) {
    return Double.isNaN(millis) ? "-" : String.format(Locale.ROOT, "%.1f", millis);
  }

  /** Answers over time while the settings change. */
  static Plot plot(LiveChange.Seen seen) {
    Plot plot =
        new Plot(
            "Settings changed under load, closed model",
            new Axis("seconds", false),
            new Axis("answers/s", false));
    double sliceSeconds = Watched.SLICE_MILLIS / 1e3;
    for (int slice = 0; slice < seen.slices().size(); slice++) {
      plot.add("each 100 ms", slice * sliceSeconds, seen.slices().get(slice) / sliceSeconds);
    }
    for (LivePhase phase : seen.phases()) {
      String line = phase.title() + ", " + phase.source();
      Watched.Pace pace = phase.pace();
      plot.add(line, pace.beganSeconds(), pace.perSecond());
      plot.add(line, pace.beganSeconds() + pace.seconds(), pace.perSecond());
    }
    return plot;
  }

  private static Map<String, @Nullable Object> run(Run run) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("configuration", run.configuration().title());
    told.putAll(new dev.tenrec.field.load.Report(run.result()).json());
    told.put("answeredByFallback", run.degraded());
    told.put("dependencyBusyShare", run.busyShare());
    told.put("processorMillisPerAnswer", run.processorMillisPerAnswer());
    told.put("application", run.application());
    told.put("service", run.service());
    return told;
  }

  private static Map<String, @Nullable Object> sizing(Sizing sizing) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("coreSize", sizing.coreSize());
    told.put("maximumSize", sizing.maximumSize());
    told.put("queueSize", sizing.queueSize());
    told.put("timeoutMillis", sizing.timeout().toMillis());
    told.put("fallbackPermits", sizing.fallbackPermits());
    told.put("errorThresholdPercentage", sizing.errorThresholdPercentage());
    return told;
  }

  private static Map<String, @Nullable Object> phase(LivePhase phase) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("inForce", phase.title());
    told.put("saidBy", phase.source());
    told.put("knownAfterMillis", number(phase.knownMillis()));
    told.put("feltAfterMillis", number(phase.feltMillis()));
    told.put("coreSize", phase.coreSize());
    told.put("mostActive", phase.mostActive());
    told.put("fullAnswersPerSecond", phase.pace().perSecond());
    told.put("meanMillis", phase.pace().meanMillis());
    return told;
  }

  private static @Nullable Object number(double value) {
    return Double.isNaN(value) ? null : value;
  }

  private static Map<String, @Nullable Object> ratio(Ratios.Row row) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("configuration", row.original().configuration().title());
    told.put("users", row.original().users() / Original.SCALE);
    told.put("perSecondOriginal", row.original().perSecondRatio());
    told.put("perSecond", row.perSecond());
    told.put("fullPerSecond", row.fullPerSecond());
    told.put("meanOriginal", row.original().meanRatio());
    told.put("mean", row.mean());
    told.put("maxToMeanOriginal", row.original().maxToMean());
    told.put("maxToMean", row.maxToMean());
    told.put("errorPercentOriginal", row.original().errorPercent());
    told.put("errorPercent", row.ours().errorPercent());
    told.put("fallbackPercent", row.ours().degradedPercent());
    return told;
  }
}
