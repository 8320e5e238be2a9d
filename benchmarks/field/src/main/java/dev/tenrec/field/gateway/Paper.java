// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.kit.Json;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Ending;
import dev.tenrec.field.load.Report;
import dev.tenrec.field.load.report.Axis;
import dev.tenrec.field.load.report.Plot;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the table, and the files. */
final class Paper {

  private final List<Reading> readings;
  private final int planned;
  private final Ending ending;
  private final List<String> differences = new ArrayList<>();

  Paper(List<Reading> readings, int planned, Ending ending) {
    this.readings = readings;
    this.planned = planned;
    this.ending = ending;
    for (Reading reading : readings) {
      Books.differences(reading)
          .forEach(difference -> differences.add(reading.cell() + ": " + difference));
    }
  }

  static void header(List<String> arguments, PrintStream out) {
    out.println(
        "mvn -q -Psystem3 -pl benchmarks/field -am -DskipTests package"
            + (arguments.isEmpty()
                ? ""
                : " -Dsystem3.args=\"" + String.join(" ", arguments) + "\""));
    out.println(
        "JDK "
            + Runtime.version()
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors, shared by driver, gateway and service.");
    out.println(
        "Loads by users are a closed model: each calls again when answered or refused. Loads by"
            + " rate are an open model. Latencies are those of answered calls, since intended.");
    out.println();
  }

  void print(PrintStream out) {
    if (readings.stream().anyMatch(reading -> reading.result().counts().refused() > 0)) {
      new Table(out).refusals(readings);
    }
    Shape.print(Ratios.of(readings), out);
    out.println();
    out.println(
        readings.size()
            + " of "
            + planned
            + " loads; "
            + (holds()
                ? "in each, what was sent is answered, failed or refused, each refusal is"
                    + " explained, and driver, gateway, its commands and service agree."
                : "these do NOT agree:"));
    differences.forEach(difference -> out.println("  " + difference));
    ending.print(out);
  }

  boolean holds() {
    return differences.isEmpty();
  }

  List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    return List.of(
        Files.writeString(directory.resolve("system3.json"), Json.write(json())),
        Files.writeString(directory.resolve("system3-cpu.svg"), cpu().svg()));
  }

  private Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("java", Runtime.version().toString());
    told.put("processors", Runtime.getRuntime().availableProcessors());
    told.put("planned", planned);
    ending.put(told);
    told.put("loads", readings.stream().map(Paper::json).toList());
    told.put("ratios", Ratios.of(readings).stream().map(Shape::json).toList());
    told.put("accountingHolds", holds());
    told.put("differences", differences);
    return told;
  }

  private static Map<String, @Nullable Object> json(Reading reading) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("call", reading.cell().call());
    told.put("via", reading.cell().via());
    told.put("limit", reading.cell().limit());
    told.put("requests", reading.cell().requests());
    told.put("driver", new Report(reading.result()).json());
    told.put("seconds", reading.seconds());
    told.put("callsPerSecond", reading.callsPerSecond());
    told.put("serviceReceived", reading.service().received());
    told.put("serviceMostInFlight", reading.service().mostInFlight());
    GatewayCounts gateway = reading.gateway();
    if (gateway != null) {
      told.put("gateway", gateway.values());
      told.put("gatewayCpuMicrosPerCall", reading.cpuMicrosPerCall());
      told.put("gatewayCores", reading.cores());
      told.put("refusals", reading.explanations().kinds().stream().map(Paper::refusal).toList());
    }
    return told;
  }

  private static Map<String, @Nullable Object> refusal(Explanations.Kind kind) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("command", kind.refusal().command());
    told.put("reason", kind.refusal().reason());
    told.put("why", kind.refusal().why());
    told.put("limit", kind.refusal().limit());
    told.put("leastInUse", kind.leastInUse());
    told.put("mostInUse", kind.mostInUse());
    told.put("count", kind.count());
    return told;
  }

  private Plot cpu() {
    Plot plot =
        new Plot(
            "Processor time of the gateway for each call, closed model",
            new Axis("users", true),
            new Axis("us", false));
    for (Reading reading : readings) {
      Cell cell = reading.cell();
      if (!cell.isDirect() && cell.arrivals() instanceof Arrivals.Closed closed) {
        plot.add(
            cell.call() + ", limit " + cell.limit(), closed.users(), reading.cpuMicrosPerCall());
      }
    }
    return plot;
  }
}
