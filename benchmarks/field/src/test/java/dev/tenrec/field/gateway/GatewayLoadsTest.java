// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.field.kit.ChildJvm;
import dev.tenrec.field.kit.JsonText;
import dev.tenrec.field.kit.LineWatch;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.ReportWriter;
import dev.tenrec.field.kit.Stop;
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
import picocli.CommandLine.ParameterException;

/** The short form, in JVMs of its own. */
class GatewayLoadsTest {

  @TempDir Path directory;

  @Test
  void run_short_accountsForEveryCallAndExplainsEachRefusal() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code =
        Program.run(
            new GatewayLoads(),
            List.of("--short", "--directory", directory.toString()),
            Stop.onDemand(),
            new PrintStream(bytes, true, StandardCharsets.UTF_8));
    String shown = bytes.toString(StandardCharsets.UTF_8);

    assertThat(code).as(shown).isEqualTo(ReportWriter.HOLDS);
    assertThat(shown).contains("6 of 6 loads; in each").contains("closed model");
    assertThat(ProcessHandle.current().children()).as("processes left").isEmpty();
    Map<String, Object> report = report();
    assertThat(report).containsEntry("accountingHolds", true).containsEntry("planned", 6L);
    // of the ratios the one that needs no load of the original's
    assertThat(shown).contains("injector lag p99 / max ms").contains("| 0 of 420 |");
    assertThat((List<?>) report.get("ratios"))
        .hasSize(10)
        .filteredOn(row -> object(row).get("measured").equals(true))
        .hasSize(1);
    for (Map<String, Object> load : loads(report)) {
      Map<String, Object> driver = object(load.get("driver"));
      long sent = number(driver, "sent");
      long answered = number(driver, "answered");
      long refused = number(driver, "refused");
      assertThat(sent).as("%s", load).isEqualTo(number(load, "requests"));
      assertThat(number(driver, "failed")).as("%s", load).isZero();
      assertThat(answered + refused).as("%s", load).isEqualTo(sent);
      assertThat(number(load, "serviceReceived")).as("%s", load).isEqualTo(answered);
      if (load.get("via").equals("gateway")) {
        gateway(load, sent, answered, refused);
      } else {
        assertThat(refused).as("%s", load).isZero();
      }
    }
    assertThat(directory.resolve("system3-cpu.svg")).content().contains("polyline");
  }

  private static void gateway(Map<String, Object> load, long sent, long answered, long refused) {
    Map<String, Object> gateway = object(load.get("gateway"));
    String command = (String) load.get("call");
    long rejected = number(gateway, command + ".SEMAPHORE_REJECTED");
    long shortCircuited = number(gateway, command + ".SHORT_CIRCUITED");
    assertThat(number(gateway, "received")).isEqualTo(sent);
    assertThat(number(gateway, command + ".SUCCESS")).isEqualTo(answered);
    assertThat(rejected + shortCircuited).isEqualTo(refused);
    long explained = 0;
    for (Object told : (List<?>) load.get("refusals")) {
      Map<String, Object> refusal = object(told);
      assertThat(refusal).containsEntry("command", command);
      explained += number(refusal, "count");
      if (refusal.get("reason").equals("SEMAPHORE")) {
        assertThat(refusal).containsEntry("limit", load.get("limit"));
      } else {
        assertThat((String) refusal.get("why")).matches("\\d+ of \\d+ calls failed.*");
      }
    }
    assertThat(explained).isEqualTo(refused);
    if (number(load, "limit") >= Form.FITTING) {
      assertThat(refused).as("a limit that fits").isZero();
    } else {
      assertThat(rejected).as("a limit that does not").isPositive();
    }
    assertThat(number(gateway, "cpuNanos")).isPositive();
    assertThat(number(gateway, "threads")).isBetween(1L, 40L);
  }

  @Test
  void main_interrupted_tellsTheResultsSoFar() throws Exception {
    // the default form, which would take minutes
    Process process =
        ChildJvm.start(128, GatewayLoads.class, List.of("--directory", directory.toString()));
    List<String> lines = new ArrayList<>();
    List<ProcessHandle> children = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
        if (line.startsWith("| hello | 50 users | direct |")) {
          children.addAll(process.descendants().toList());
          // which a JVM takes as it takes Ctrl-C; process.destroy() would close its output
          assertThat(process.toHandle().destroy()).isTrue();
        }
      }
    } finally {
      process.destroy();
    }
    process.waitFor();

    long rows = lines.stream().filter(line -> line.matches("\\| \\w+ \\| \\d+ .*")).count();
    assertThat(rows).isBetween(1L, 10L);
    assertThat(lines).anyMatch(line -> line.matches(rows + " of 20 loads; in each.*agree\\."));
    assertThat(report()).containsEntry("accountingHolds", true);
    assertThat(loads(report())).hasSize((int) rows);
    assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void run_whoseServiceDies_tellsTheResultsSoFar() throws Exception {
    LineWatch watch = LineWatch.killingAt("| direct |");
    List<String> arguments = List.of("--short", "--directory", directory.toString());

    assertThatThrownBy(
            () -> Program.run(new GatewayLoads(), arguments, Stop.onDemand(), watch.out()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the service ended with exit code 137");
    assertThat(watch.shown()).contains("1 of 6 loads; in each", "Incomplete: ");
    assertThat(loads(report())).hasSize(1);
    assertThat(report()).containsEntry("complete", false);
    assertThat(ProcessHandle.current().children()).as("processes left").isEmpty();
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
              () -> Program.run(new GatewayLoads(), arguments, Stop.onDemand(), System.out))
          .isInstanceOf(IOException.class)
          .hasMessageMatching(
              "the gateway ended with exit code 2 before it was ready; it said: .*in use.*");
    }
    assertThat(ProcessHandle.current().children()).as("processes left").isEmpty();
  }

  @Test
  void run_withAWrongArgument_saysWhatWasExpected() {
    assertThatThrownBy(
            () ->
                Program.run(
                    new GatewayLoads(), List.of("--call", "fast"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--call is fast, expected hello or slow");
  }

  private Map<String, Object> report() throws Exception {
    return object(JsonText.parse(Files.readString(directory.resolve("system3.json"))));
  }

  private static List<Map<String, Object>> loads(Map<String, Object> report) {
    return ((List<?>) report.get("loads")).stream().map(GatewayLoadsTest::object).toList();
  }

  @SuppressWarnings("unchecked") // an object's keys are strings
  private static Map<String, Object> object(Object json) {
    return (Map<String, Object>) json;
  }

  private static long number(Map<String, Object> values, String name) {
    assertThat(values.get(name)).as(name).isInstanceOf(Number.class);
    return ((Number) values.get(name)).longValue();
  }
}
