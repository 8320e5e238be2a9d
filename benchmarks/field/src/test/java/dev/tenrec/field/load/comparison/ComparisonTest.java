// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.field.kit.ChildJvm;
import dev.tenrec.field.kit.JsonText;
import dev.tenrec.field.kit.LineWatch;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.engine.Engines;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form, in JVMs of its own. */
class ComparisonTest {

  @TempDir Path directory;

  @Test
  void run_short_accountsForEveryCall() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code =
        Program.run(
            new Comparison(),
            List.of("--short", "--directory", directory.toString()),
            Stop.onDemand(),
            new PrintStream(bytes, true, StandardCharsets.UTF_8));
    String shown = bytes.toString(StandardCharsets.UTF_8);

    assertThat(code).as(shown).isEqualTo(ReportWriter.HOLDS);
    assertThat(shown).contains("10 of 10 runs; in each").contains("Closed model");
    Map<String, Object> report = report();
    assertThat(report).containsEntry("accountingHolds", true).containsEntry("planned", 10L);
    // the original's loads are not among these, so that there is no ratio to show
    assertThat(shown).doesNotContain("this run");
    assertThat((List<?>) report.get("ratios")).hasSize(8);
    for (Map<String, Object> run : runs(report)) {
      if (run.get("engine").equals("virtual") && !Engines.VIRTUAL.isSupported()) {
        assertThat((String) run.get("remark")).startsWith("needs JDK 21 or later");
        continue;
      }
      double sent = number(run, "sent");
      assertThat(sent).as("%s", run).isEqualTo(number(run, "requests"));
      assertThat(number(run, "answered") + number(run, "failed") + number(run, "refused"))
          .as("%s", run)
          .isEqualTo(sent);
      assertThat(number(run, "failed")).as("%s", run).isZero();
      assertThat(number(run, "serviceReceived")).as("%s", run).isEqualTo(number(run, "answered"));
      if (run.get("engine").equals("pool")) {
        assertThat(number(run, "mostInFlight")).isLessThanOrEqualTo(Cell.THREADS);
      }
      if ((Long) run.get("permits") > 0) {
        assertThat(number(run, "command.SEMAPHORE_REJECTED"))
            .isPositive()
            .isEqualTo(number(run, "refused"));
        assertThat(number(run, "command.SUCCESS")).isEqualTo(number(run, "answered"));
      }
    }
    assertThat(directory.resolve("system5-100ms-sinceIntended.svg")).content().contains("polyline");
  }

  @Test
  void main_interrupted_tellsTheResultsSoFar() throws Exception {
    // the full form, which would take many minutes
    Process process =
        ChildJvm.start(128, Comparison.class, List.of("--directory", directory.toString()));
    List<String> lines = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
        if (line.startsWith("| 512 | 0 | thread | 100 |")) {
          // which a JVM takes as it takes Ctrl-C; process.destroy() would close its output
          assertThat(process.toHandle().destroy()).isTrue();
        }
      }
    } finally {
      process.destroy();
    }
    process.waitFor();

    // how many it had begun by then is a matter of how fast this is told of the first row
    long rows = lines.stream().filter(line -> line.matches("\\| \\d+ \\|.*")).count();
    assertThat(rows).isBetween(1L, 20L);
    assertThat(lines).anyMatch(line -> line.matches(rows + " of 82 runs; in each.*agree\\."));
    assertThat(report()).containsEntry("accountingHolds", true).containsEntry("complete", false);
    assertThat(runs(report())).hasSize((int) rows);
  }

  @Test
  void run_whoseServiceDies_tellsTheResultsSoFar() throws Exception {
    LineWatch watch = LineWatch.killingAt("\n| 128 | ");
    List<String> arguments = List.of("--short", "--directory", directory.toString());

    assertThatThrownBy(() -> Program.run(new Comparison(), arguments, Stop.onDemand(), watch.out()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the service ended with exit code 137");
    assertThat(watch.shown())
        .contains("1 of 10 runs; in each", "Incomplete: the service ended with exit code 137");
    assertThat(runs(report())).hasSize(1);
    assertThat(report()).containsEntry("complete", false);
  }

  @Test
  void run_onABusyPort_doesNotStart() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> arguments =
          List.of(
              "--short",
              "--port",
              Integer.toString(taken.getLocalPort()),
              "--directory",
              directory.toString());
      assertThatThrownBy(
              () -> Program.run(new Comparison(), arguments, Stop.onDemand(), System.out))
          .isInstanceOf(IOException.class)
          .hasMessageMatching(
              "the service ended with exit code 2 before it was ready; it said: .*in use.*");
    }
  }

  private Map<String, Object> report() throws Exception {
    return object(JsonText.parse(Files.readString(directory.resolve("system5.json"))));
  }

  private static List<Map<String, Object>> runs(Map<String, Object> report) {
    return ((List<?>) report.get("runs")).stream().map(ComparisonTest::object).toList();
  }

  @SuppressWarnings("unchecked") // an object's keys are strings
  private static Map<String, Object> object(Object json) {
    return (Map<String, Object>) json;
  }

  private static double number(Map<String, Object> run, String name) {
    assertThat(run.get(name)).as(name).isInstanceOf(Number.class);
    return ((Number) run.get(name)).doubleValue();
  }
}
