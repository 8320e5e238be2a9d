// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.provider.service.Method;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What stands around the tables, and the files. */
final class SweepReport extends ReportWriter {

  private final List<Measured> measured;
  private final List<Canary.Phase> phases;
  private final int planned;
  private final long providerPid;

  SweepReport(
      List<Measured> measured,
      List<Canary.Phase> phases,
      int planned,
      long providerPid,
      Ending ending) {
    super(
        "system4", measured.size() + phases.size(), planned, differences(measured, phases), ending);
    this.measured = measured;
    this.phases = phases;
    this.planned = planned;
    this.providerPid = providerPid;
  }

  private static List<String> differences(List<Measured> measured, List<Canary.Phase> phases) {
    Reconciliation found = new Reconciliation();
    Stream.concat(measured.stream(), phases.stream().flatMap(phase -> phase.both().stream()))
        .forEach(one -> found.addAll(one.point(), PointReconciliation.differences(one)));
    return found.differences();
  }

  static void header(List<String> arguments, PrintStream out) {
    header(
        out,
        "system4",
        "benchmarks/field",
        arguments,
        "driver, provider and store",
        "Closed model: "
            + Form.USERS
            + " users, each calling again when answered, or "
            + Form.PAUSE_MILLIS
            + " ms after a refusal.",
        "One provider for all points, its settings changed while it ran. CPU is that of its"
            + " process, of all processors. Latencies are those of answered calls.");
  }

  @Override
  protected void print(PrintStream out) {
    new Ratios(new Runs(measured), out).print();
    out.println();
    findings().forEach(finding -> out.println("- " + finding));
    verdict(
        out,
        measured.size() + phases.size() < planned
            ? "points (the last perhaps cut short)"
            : "points",
        "driver, provider, commands, pools and store",
        List.of());
  }

  private List<String> findings() {
    return Findings.of(new Runs(measured), phases);
  }

  @Override
  protected List<String> summary() {
    return Findings.five(new Runs(measured), phases);
  }

  @Override
  protected void fill() {
    put("model", "closed");
    put("users", Form.USERS);
    put("providerPid", providerPid);
    put("points", measured.stream().map(SweepReport::json).toList());
    put("canary", phases.stream().map(SweepReport::json).toList());
    put("findings", findings());
    Plots.of(measured).forEach(this::plot);
  }

  private static Map<String, @Nullable Object> json(Canary.Phase phase) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("phase", phase.name());
    json.put("tried", phase.tried().toString());
    json.put("changedFirst", json(phase.changed()));
    json.put("other", json(phase.other()));
    return json;
  }

  private static Map<String, @Nullable Object> json(Measured one) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("part", one.point().part().name());
    json.put("pauseMillis", one.point().pauseMillis());
    json.put("readers", one.point().readers());
    json.put("callsPerSecond", one.point().perSecond());
    json.put("settings", one.point().properties());
    Map<String, @Nullable Object> methods = new LinkedHashMap<>();
    one.results().keySet().forEach(method -> methods.put(method.key(), json(one, method)));
    json.put("methods", methods);
    json.put("cpuPercent", one.cpuPercent());
    json.put("cpuMicrosPerAnswer", one.cpuMicrosPerAnswer());
    if (Double.isFinite(one.runnable())) {
      json.put("runnableThreads", one.runnable());
    }
    json.put("provider", finite(one.provider()));
    json.put("store", one.store());
    return json;
  }

  private static Map<String, @Nullable Object> json(Measured one, Method method) {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("pool", one.point().pool(method).toString());
    json.put("ownPool", one.point().own().containsKey(method));
    json.put("users", one.point().users().get(method));
    json.put("sent", one.counts(method).sent());
    json.put("answered", one.counts(method).answered());
    json.put("failed", one.counts(method).failed());
    json.put("refused", one.counts(method).refused());
    json.put("perSecond", one.perSecond(method));
    json.put("refusedPerSecond", one.refusedPerSecond(method));
    json.put("usersThere", one.result(method).presence().json());
    json.put("meanMillis", one.result(method).sinceIntended().meanMillis());
    json.put("p99Millis", one.p99Millis(method));
    json.put("threads", one.threads(method));
    json.put("mostAtStore", one.mostAtStore(method));
    json.put("failures", one.result(method).failures());
    return json;
  }

  private static Map<String, Double> finite(Map<String, Double> figures) {
    Map<String, Double> finite = new TreeMap<>(figures);
    finite.values().removeIf(figure -> !Double.isFinite(figure));
    return finite;
  }
}
