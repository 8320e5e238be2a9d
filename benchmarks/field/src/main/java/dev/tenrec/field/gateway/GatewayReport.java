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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the table, and the files. */
final class GatewayReport extends ReportWriter {

  private final List<Reading> readings;

  GatewayReport(List<Reading> readings, int planned, Ending ending) {
    super("system3", readings.size(), planned, differences(readings), ending);
    this.readings = readings;
  }

  private static List<String> differences(List<Reading> readings) {
    Reconciliation found = new Reconciliation();
    for (Reading reading : readings) {
      found.addAll(reading.cell(), GatewayReconciliation.differences(reading));
    }
    return found.differences();
  }

  static void header(List<String> arguments, PrintStream out) {
    header(
        out,
        "system3",
        "benchmarks/field",
        arguments,
        "driver, gateway and service",
        "Loads by users are a closed model: each calls again when answered or refused. Loads by"
            + " rate are an open model. Latencies are those of answered calls, since intended.",
        "Heap is the most that was used, garbage included; threads are the most that were alive."
            + " The service has one JVM for all loads.");
  }

  @Override
  protected void print(PrintStream out) {
    if (readings.stream().anyMatch(reading -> reading.result().counts().refused() > 0)) {
      Table.refusals(readings, out);
    }
    Shape.print(shapes(), out);
    verdict(
        out,
        "loads",
        "each refusal is explained, and driver, gateway, its commands and service",
        List.of());
  }

  @Override
  protected List<Shape> shapes() {
    return Ratios.of(readings);
  }

  @Override
  protected void fill() {
    put("loads", readings.stream().map(GatewayReport::json).toList());
    plot("cpu", cpu());
  }

  private static Map<String, @Nullable Object> json(Reading reading) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("call", reading.cell().call());
    json.put("via", reading.cell().via());
    json.put("limit", reading.cell().limit());
    json.put("gatewayThreads", reading.cell().threads());
    json.put("requests", reading.cell().isByTime() ? 0 : reading.cell().requests());
    json.put("driver", new Report(reading.result()).json());
    json.put("seconds", reading.seconds());
    json.put("callsPerSecond", reading.callsPerSecond());
    json.put("serviceReceived", reading.service().received());
    json.put("serviceMostInFlight", reading.service().mostInFlight());
    json.put("service", reading.service().process().values());
    json.put("serviceCores", reading.serviceCores());
    GatewayCounts gateway = reading.gateway();
    if (gateway != null) {
      json.put("gateway", gateway.values());
      json.put("gatewayCpuMicrosPerCall", reading.cpuMicrosPerCall());
      json.put("gatewayCores", reading.cores());
      json.put(
          "refusals", reading.explanations().kinds().stream().map(GatewayReport::refusal).toList());
    }
    return json;
  }

  private static Map<String, @Nullable Object> refusal(Explanations.Kind kind) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("command", kind.refusal().command());
    json.put("reason", kind.refusal().reason());
    json.put("why", kind.refusal().why());
    json.put("limit", kind.refusal().limit());
    json.put("leastInUse", kind.leastInUse());
    json.put("mostInUse", kind.mostInUse());
    json.put("count", kind.count());
    return json;
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
            cell.call() + ", limit " + cell.limit() + (cell.threads() == 0 ? "" : ", waiting"),
            closed.users(),
            reading.cpuMicrosPerCall());
      }
    }
    return plot;
  }
}
