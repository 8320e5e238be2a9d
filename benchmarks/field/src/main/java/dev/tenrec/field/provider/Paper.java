// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import dev.tenrec.field.kit.Json;
import dev.tenrec.field.load.Ending;
import dev.tenrec.field.provider.service.Method;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What stands around the tables, and the files. */
final class Paper {

  private final List<Measured> measured;
  private final int planned;
  private final long providerPid;
  private final Ending ending;
  private final List<String> differences = new ArrayList<>();

  Paper(List<Measured> measured, int planned, long providerPid, Ending ending) {
    this.measured = measured;
    this.planned = planned;
    this.ending = ending;
    this.providerPid = providerPid;
    for (Measured one : measured) {
      Books.differences(one)
          .forEach(difference -> differences.add(one.point() + ": " + difference));
    }
  }

  static void header(List<String> arguments, PrintStream out) {
    out.println(
        "mvn -q -Psystem4 -pl benchmarks/field -am -DskipTests package"
            + (arguments.isEmpty()
                ? ""
                : " -Dsystem4.args=\"" + String.join(" ", arguments) + "\""));
    out.println(
        "JDK "
            + Runtime.version()
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors, shared by driver, provider and store. Closed model: "
            + Form.USERS
            + " users, each calling again when answered, or "
            + Form.PAUSE_MILLIS
            + " ms after a refusal.");
    out.println(
        "One provider for all points, its settings changed while it ran. CPU is that of its"
            + " process, of all processors. Latencies are those of answered calls.");
  }

  void print(PrintStream out) {
    Runs runs = new Runs(measured);
    new Ratios(runs, out).print();
    out.println();
    Findings.of(runs).forEach(finding -> out.println("- " + finding));
    out.println();
    out.println(
        measured.size()
            + " of "
            + planned
            + (measured.size() < planned ? " points (the last perhaps cut short); " : " points; ")
            + (holds()
                ? "in each, what was sent is answered, failed or refused, and driver, provider,"
                    + " commands, pools and store agree."
                : "these do NOT agree:"));
    differences.forEach(difference -> out.println("  " + difference));
    ending.print(out);
  }

  boolean holds() {
    return differences.isEmpty();
  }

  List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> files = new ArrayList<>();
    files.add(Files.writeString(directory.resolve("system4.json"), Json.write(json())));
    files.addAll(Plots.write(measured, directory));
    return files;
  }

  private Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("java", Runtime.version().toString());
    told.put("processors", Runtime.getRuntime().availableProcessors());
    told.put("model", "closed");
    told.put("users", Form.USERS);
    told.put("providerPid", providerPid);
    told.put("planned", planned);
    ending.put(told);
    told.put("points", measured.stream().map(Paper::json).toList());
    told.put("findings", Findings.of(new Runs(measured)));
    told.put("accountingHolds", holds());
    told.put("differences", differences);
    return told;
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
