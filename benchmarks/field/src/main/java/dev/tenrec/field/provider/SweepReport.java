// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Ending;
import dev.tenrec.field.kit.Reconciliation;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.provider.service.Method;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What stands around the tables, and the files. */
final class SweepReport {

  private final List<Measured> measured;
  private final int planned;
  private final long providerPid;
  private final ReportWriter writer;

  SweepReport(List<Measured> measured, int planned, long providerPid, Ending ending) {
    this.measured = measured;
    this.planned = planned;
    this.providerPid = providerPid;
    Reconciliation found = new Reconciliation();
    for (Measured one : measured) {
      found.addAll(one.point(), PointReconciliation.differences(one));
    }
    this.writer =
        new ReportWriter("system4", measured.size(), planned, found.differences(), ending);
  }

  static void header(List<String> arguments, PrintStream out) {
    ReportWriter.header(
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

  void print(PrintStream out) {
    Runs runs = new Runs(measured);
    new Ratios(runs, out).print();
    out.println();
    Findings.of(runs).forEach(finding -> out.println("- " + finding));
    writer.verdict(
        out,
        measured.size() < planned ? "points (the last perhaps cut short)" : "points",
        "driver, provider, commands, pools and store",
        List.of());
  }

  int write(Path directory, PrintStream out) throws Exception {
    writer.put("model", "closed");
    writer.put("users", Form.USERS);
    writer.put("providerPid", providerPid);
    writer.put("points", measured.stream().map(SweepReport::json).toList());
    writer.put("findings", Findings.of(new Runs(measured)));
    Plots.add(measured, writer);
    return writer.write(directory, out);
  }

  private static Map<String, @Nullable Object> json(Measured one) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("part", one.point().part().name());
    told.put("pauseMillis", one.point().pauseMillis());
    told.put("settings", one.point().properties());
    Map<String, @Nullable Object> methods = new LinkedHashMap<>();
    one.results().keySet().forEach(method -> methods.put(method.key(), json(one, method)));
    told.put("methods", methods);
    told.put("cpuPercent", one.cpuPercent());
    told.put("cpuMicrosPerAnswer", one.cpuMicrosPerAnswer());
    if (Double.isFinite(one.runnable())) {
      told.put("runnableThreads", one.runnable());
    }
    told.put("provider", finite(one.provider()));
    told.put("store", one.store());
    return told;
  }

  private static Map<String, @Nullable Object> json(Measured one, Method method) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("pool", one.point().pool(method).toString());
    told.put("ownPool", one.point().own().containsKey(method));
    told.put("users", one.point().users().get(method));
    told.put("sent", one.counts(method).sent());
    told.put("answered", one.counts(method).answered());
    told.put("failed", one.counts(method).failed());
    told.put("refused", one.counts(method).refused());
    told.put("perSecond", one.perSecond(method));
    told.put("refusedPerSecond", one.refusedPerSecond(method));
    told.put("meanMillis", one.result(method).sinceIntended().meanMillis());
    told.put("p99Millis", one.p99Millis(method));
    told.put("threads", one.threads(method));
    told.put("mostAtStore", one.mostAtStore(method));
    told.put("failures", one.result(method).failures());
    return told;
  }

  private static Map<String, Double> finite(Map<String, Double> figures) {
    Map<String, Double> finite = new TreeMap<>(figures);
    finite.values().removeIf(figure -> !Double.isFinite(figure));
    return finite;
  }
}
