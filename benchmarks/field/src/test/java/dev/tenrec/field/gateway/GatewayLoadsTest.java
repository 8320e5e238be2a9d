// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway;

import static dev.tenrec.field.kit.JsonText.count;
import static dev.tenrec.field.kit.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenrec.field.kit.JsonText;
import dev.tenrec.field.kit.LineWatch;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.ProgramRun;
import dev.tenrec.field.kit.Stop;
import java.io.IOException;
import java.nio.file.Path;
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
    String shown = ProgramRun.little(new GatewayLoads(), directory).shown();

    assertThat(shown).contains("6 of 6 loads; in each").contains("closed model");
    assertThat(ProcessHandle.current().children()).as("processes left").isEmpty();
    Map<String, Object> report = report();
    assertThat(report).containsEntry("accountingHolds", true).containsEntry("planned", 6L);
    // of the ratios the one that needs no load of the original's
    assertThat(shown).contains("injector lag p99 / max ms").containsPattern("\\| 0 of [\\d,]+ \\|");
    assertThat((List<?>) report.get("ratios"))
        .hasSize(13)
        .filteredOn(row -> object(row).get("measured").equals(true))
        .hasSize(1);
    // the clock of a process may stand still for 10 ms, which is more than a load of these takes
    assertThat(cpuNanos(report, "service")).isPositive();
    assertThat(cpuNanos(report, "gateway")).isPositive();
    for (Map<String, Object> load : loads(report)) {
      Map<String, Object> driver = object(load.get("driver"));
      long sent = count(driver, "sent");
      long answered = count(driver, "answered");
      long refused = count(driver, "refused");
      if (count(load, "requests") == 0) {
        assertThat(object(driver.get("usersThere"))).as("%s", load).containsEntry("users", 60L);
        assertThat(sent).as("%s", load).isGreaterThanOrEqualTo(60);
      } else {
        assertThat(sent).as("%s", load).isEqualTo(count(load, "requests"));
      }
      assertThat(count(driver, "failed")).as("%s", load).isZero();
      assertThat(answered + refused).as("%s", load).isEqualTo(sent);
      assertThat(count(load, "serviceReceived")).as("%s", load).isEqualTo(answered);
      Map<String, Object> service = object(load.get("service"));
      assertThat(count(service, "heapBytes")).as("%s", load).isPositive();
      assertThat(count(service, "threads")).as("%s", load).isBetween(1L, 40L);
      if (!load.get("via").equals("direct")) {
        gateway(load, sent, answered, refused);
      } else {
        assertThat(refused).as("%s", load).isZero();
      }
    }
    assertThat(directory.resolve("system3-cpu.svg")).content().contains("polyline");
  }

  private static long cpuNanos(Map<String, Object> report, String process) {
    return loads(report).stream()
        .filter(load -> load.containsKey(process))
        .mapToLong(load -> count(object(load.get(process)), "cpuNanos"))
        .sum();
  }

  private static void gateway(Map<String, Object> load, long sent, long answered, long refused) {
    Map<String, Object> gateway = object(load.get("gateway"));
    String command = (String) load.get("call");
    long rejected = count(gateway, command + ".SEMAPHORE_REJECTED");
    long shortCircuited = count(gateway, command + ".SHORT_CIRCUITED");
    assertThat(count(gateway, "received")).isEqualTo(sent);
    assertThat(count(gateway, command + ".SUCCESS")).isEqualTo(answered);
    assertThat(rejected + shortCircuited).isEqualTo(refused);
    long explained = 0;
    for (Object one : (List<?>) load.get("refusals")) {
      Map<String, Object> refusal = object(one);
      assertThat(refusal).containsEntry("command", command);
      explained += count(refusal, "count");
      if (refusal.get("reason").equals("SEMAPHORE")) {
        assertThat(refusal).containsEntry("limit", load.get("limit"));
      } else {
        assertThat((String) refusal.get("why")).matches("\\d+ of \\d+ calls failed.*");
      }
    }
    assertThat(explained).isEqualTo(refused);
    if (count(load, "limit") >= Form.FITTING) {
      assertThat(refused).as("a limit that fits").isZero();
    } else if (count(load, "limit") < 60) {
      assertThat(rejected).as("a limit that does not").isPositive();
    }
    assertThat(count(gateway, "heapBytes")).isPositive();
    // a container's threads, or a few; and those of the JVM
    assertThat(count(gateway, "threads")).isBetween(1L, count(load, "gatewayThreads") + 40L);
  }

  @Test
  void main_interrupted_reportsTheResultsSoFar() throws Exception {
    ProgramRun run =
        ProgramRun.interrupted(
            GatewayLoads.class, directory, "| hello | 60 users | ", ProgramRun::descendants);

    List<String> lines = run.lines();
    long rows = lines.stream().filter(line -> line.matches("\\| \\w+ \\| \\d+ .*")).count();
    // how many it had begun by then is a matter of how fast this reads the first row
    assertThat(rows).isBetween(1L, 6L);
    assertThat(lines).anyMatch(line -> line.matches(rows + " of 6 loads; in each.*agree\\."));
    assertThat(report()).containsEntry("accountingHolds", true);
    assertThat(loads(report())).hasSize((int) rows);
    assertThat(run.children()).isNotEmpty().noneMatch(ProcessHandle::isAlive);
  }

  @Test
  void run_whoseServiceDies_reportsTheResultsSoFar() throws Exception {
    LineWatch watch = LineWatch.killingAt("| direct |");

    assertThatThrownBy(() -> ProgramRun.little(new GatewayLoads(), watch, directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the service ended with exit code 137");
    assertThat(watch.shown()).contains("1 of 6 loads; in each", "Incomplete: ");
    assertThat(loads(report())).hasSize(1);
    assertThat(report()).containsEntry("complete", false);
    assertThat(ProcessHandle.current().children()).as("processes left").isEmpty();
  }

  @Test
  void run_onABusyPort_doesNotStart() throws Exception {
    ProgramRun.onABusyPort(new GatewayLoads(), directory, "gateway");
    assertThat(ProcessHandle.current().children()).as("processes left").isEmpty();
  }

  @Test
  void run_withAWrongArgument_saysWhatWasExpected() {
    assertThatThrownBy(
            () ->
                Program.run(
                    new GatewayLoads(), List.of("--call", "fast"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--call is fast, expected hello, post or slow");
  }

  private Map<String, Object> report() throws Exception {
    return JsonText.read(directory.resolve("system3.json"));
  }

  private static List<Map<String, Object>> loads(Map<String, Object> report) {
    return JsonText.objects(report, "loads");
  }
}
