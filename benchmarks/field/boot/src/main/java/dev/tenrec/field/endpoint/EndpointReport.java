// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.load.Result;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the table of runs, and the files. */
final class EndpointReport extends ReportWriter {

  private final Measured measured;

  EndpointReport(Measured measured, Ending ending) {
    super("system1", measured.all().size(), Measured.PLANNED, measured.differences(), ending);
    this.measured = measured;
  }

  static void header(List<String> arguments, PrintStream out) {
    header(
        out,
        "system1",
        "benchmarks/field/boot",
        arguments,
        "driver, application and service",
        "Closed model: users, each calling again when answered; it flatters. Open model: by"
            + " schedule.",
        "Latencies are those of answers, a fallback's among them, since intended.");
  }

  @Override
  protected void print(PrintStream out) {
    sizing(out);
    measured.live().ifPresent(seen -> seen.phases().forEach(Table.PHASES.table(out, "")));
    Ratios.of(measured)
        .rows()
        .forEach(
            Table.RATIOS.table(out, "Original beside ours, each in units of its own first row:"));
    verdict(out, "runs", "driver, command, application and service", List.of());
  }

  @Override
  protected List<String> summary() {
    return Ratios.of(measured).summary();
  }

  @Override
  protected void fill() {
    put("runs", measured.runs().stream().map(EndpointReport::run).toList());
    measured.sizing().ifPresent(sizing -> put("sizing", sizing(sizing)));
    measured
        .live()
        .ifPresent(
            seen -> {
              Map<String, @Nullable Object> live = run(seen.run());
              live.put("phases", seen.phases().stream().map(EndpointReport::phase).toList());
              put("live", live);
              plot("live", plot(seen));
            });
    put("ratios", Ratios.of(measured).rows().stream().map(EndpointReport::ratio).toList());
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
            + " error threshold %d %% of %d calls, sleep window %d ms%n",
        Settings.perSecond(result),
        result.sinceIntended().percentileMillis(99),
        result.sinceIntended().percentileMillis(99.5),
        sizing.coreSize(),
        sizing.maximumSize(),
        sizing.queueSize(),
        sizing.timeout().toMillis(),
        sizing.fallbackPermits(),
        sizing.errorThresholdPercentage(),
        Settings.volume(sizing),
        Settings.sleep(sizing).toMillis());
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
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("configuration", run.configuration().title());
    json.putAll(new dev.tenrec.field.load.Report(run.result()).json());
    json.put("answeredByFallback", run.degraded());
    json.put("dependencyBusyShare", run.busyShare());
    json.put("processorMillisPerAnswer", run.processorMillisPerAnswer());
    json.put("application", run.application());
    json.put("service", run.service());
    return json;
  }

  private static Map<String, @Nullable Object> sizing(Sizing sizing) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("coreSize", sizing.coreSize());
    json.put("maximumSize", sizing.maximumSize());
    json.put("queueSize", sizing.queueSize());
    json.put("timeoutMillis", sizing.timeout().toMillis());
    json.put("fallbackPermits", sizing.fallbackPermits());
    json.put("errorThresholdPercentage", sizing.errorThresholdPercentage());
    json.put("volumeThreshold", Settings.volume(sizing));
    json.put("sleepMillis", Settings.sleep(sizing).toMillis());
    return json;
  }

  private static Map<String, @Nullable Object> phase(LivePhase phase) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("inForce", phase.title());
    json.put("saidBy", phase.source());
    json.put("knownAfterMillis", Table.number(phase.knownMillis()));
    json.put("feltAfterMillis", Table.number(phase.feltMillis()));
    json.put("coreSize", phase.coreSize());
    json.put("mostActive", phase.mostActive());
    json.put("fullAnswersPerSecond", phase.pace().perSecond());
    json.put("meanMillis", phase.pace().meanMillis());
    return json;
  }

  private static Map<String, @Nullable Object> ratio(Ratios.Row row) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("configuration", row.original().configuration().title());
    json.put("users", row.original().users() / Original.SCALE);
    json.put("perSecondOriginal", row.original().perSecondRatio());
    json.put("perSecond", row.perSecond());
    json.put("fullPerSecond", row.fullPerSecond());
    json.put("meanOriginal", row.original().meanRatio());
    json.put("mean", row.mean());
    json.put("maxToMeanOriginal", row.original().maxToMean());
    json.put("maxToMean", row.maxToMean());
    json.put("errorPercentOriginal", row.original().errorPercent());
    json.put("errorPercent", row.ours().errorPercent());
    json.put("fallbackPercent", row.ours().degradedPercent());
    return json;
  }
}
