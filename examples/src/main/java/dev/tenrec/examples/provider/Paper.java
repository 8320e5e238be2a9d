// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.provider;

import dev.tenrec.examples.shared.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around the tables, and the files. */
final class Paper {

  private final List<Measured> measured;
  private final int planned;
  private final List<String> differences = new ArrayList<>();

  Paper(List<Measured> measured, int planned) {
    this.measured = measured;
    this.planned = planned;
    for (Measured one : measured) {
      Books.differences(one).forEach(difference -> differences.add(one.point() + ": " + difference));
    }
  }

  static void header(List<String> arguments, PrintStream out) {
    out.println(
        "mvn -q -Psystem4 -pl examples -am -DskipTests package"
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
    out.println();
    out.println(
        measured.size()
            + " of "
            + planned
            + " points; "
            + (holds()
                ? "in each, what was sent is answered, failed or refused, and driver, provider,"
                    + " commands, pools and store agree."
                : "these do NOT agree:"));
    differences.forEach(difference -> out.println("  " + difference));
  }

  boolean holds() {
    return differences.isEmpty();
  }

  List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> files = new ArrayList<>();
    files.add(Files.writeString(directory.resolve("system4.json"), Json.write(json())));
    return files;
  }

  private Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("java", Runtime.version().toString());
    told.put("accountingHolds", holds());
    return told;
  }
}
