// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import dev.tenrec.field.gateway.proxy.GatewayCounts;
import dev.tenrec.field.kit.Axis;
import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Plot;
import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Shape;
import dev.tenrec.field.load.Arrivals;
import dev.tenrec.field.load.Report;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the table, and the files. */
final class GatewayReport {

  private final List<Reading> readings;
  private final ReportWriter writer;

  GatewayReport(List<Reading> readings, int planned, Ending ending) {
    this.readings = readings;
    Reconciliation found = new Reconciliation();
    for (Reading reading : readings) {
      found.addAll(reading.cell(), GatewayReconciliation.differences(reading));
    }
    this.writer =
        new ReportWriter("system3", readings.size(), planned, found.differences(), ending);
  }

  static void header(List<String> arguments, PrintStream out) {
    ReportWriter.header(
        out,
        "system3",
        "benchmarks/field",
        arguments,
        "driver, gateway and service",
        "Loads by users are a closed model: each calls again when answered or refused. Loads by"
            + " rate are an open model. Latencies are those of answered calls, since intended.");
  }

  void print(PrintStream out) {
    if (readings.stream().anyMatch(reading -> reading.result().counts().refused() > 0)) {
      Table.refusals(readings, out);
    }
    Shape.print(Ratios.of(readings), out);
    writer.verdict(
        out,
        "loads",
        "each refusal is explained, and driver, gateway, its commands and service",
        List.of());
  }

  int write(Path directory, PrintStream out) throws Exception {
    writer.put("loads", readings.stream().map(GatewayReport::json).toList());
    writer.put("ratios", Ratios.of(readings).stream().map(Shape::json).toList());
    writer.plot("cpu", cpu());
    return writer.write(directory, out);
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
      told.put(
          "refusals", reading.explanations().kinds().stream().map(GatewayReport::refusal).toList());
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
