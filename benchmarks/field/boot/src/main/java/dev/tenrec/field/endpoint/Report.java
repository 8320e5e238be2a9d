// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.core.sizing.Sizing;
import dev.tenrec.field.kit.Json;
import dev.tenrec.field.load.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results as files. */
final class Report {

  private final Measured measured;
  private final Ending ending;

  Report(Measured measured, Ending ending) {
    this.measured = measured;
    this.ending = ending;
  }

  /** Writes them, and answers with their paths. */
  List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> files = new ArrayList<>();
    files.add(Files.writeString(directory.resolve("system1.json"), Json.write(json())));
    LiveChange.Seen seen = measured.live().orElse(null);
    if (seen != null) {
      files.add(Files.writeString(directory.resolve("system1-live.svg"), Paper.plot(seen).svg()));
    }
    return files;
  }

  private Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("java", Runtime.version().toString());
    told.put("processors", Runtime.getRuntime().availableProcessors());
    told.put("planned", Measured.PLANNED);
    ending.put(told);
    told.put("runs", measured.runs().stream().map(Report::run).toList());
    measured.sizing().ifPresent(sizing -> told.put("sizing", sizing(sizing)));
    measured
        .live()
        .ifPresent(
            seen -> {
              Map<String, @Nullable Object> live = run(seen.run());
              live.put("phases", seen.phases().stream().map(Report::phase).toList());
              told.put("live", live);
            });
    told.put("ratios", Ratios.of(measured).rows().stream().map(Report::ratio).toList());
    List<String> differences = measured.differences();
    told.put("accountingHolds", differences.isEmpty());
    told.put("differences", differences);
    return told;
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
