// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tenrec.field.kit.Demo;
import dev.tenrec.field.kit.LineWatch;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.ProgramRun;
import dev.tenrec.field.kit.Signals;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.metrics.PatientWaits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

/** The short form, in JVMs of its own. */
class TunedEndpointTest {

  @TempDir Path directory;

  @Test
  void run_short_accountsForEveryCall() throws Exception {
    List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
    String shown = ProgramRun.little(new TunedEndpoint(), directory).shown();

    assertThat(shown).contains("11 of 11 runs; in each", "closed model, 20 users", "open model");
    JsonNode report = report();
    assertThat(report.get("accountingHolds").asBoolean()).isTrue();
    assertThat(report.get("runs")).hasSize(10);
    for (JsonNode run : report.get("runs")) {
      accountsFor(run);
    }
    JsonNode live = report.get("live");
    accountsFor(live);
    changesWhileItRuns(live.get("phases"), report.get("sizing").get("coreSize").asLong());
    assertThat(report.get("ratios")).hasSize(Original.ROWS.size());
    assertThat(directory.resolve("system1-live.svg")).content().contains("polyline");
    leavesNothing(before);
  }

  private static void accountsFor(JsonNode run) {
    JsonNode application = run.get("application");
    JsonNode service = run.get("service");
    long received = service.get("received").asLong() - service.get("repeated").asLong();
    long sent = run.get("sent").asLong();
    long answered = run.get("answered").asLong();
    long ended = answered + run.get("failed").asLong() + run.get("refused").asLong();
    assertThat(sent).as("%s", run).isPositive().isEqualTo(ended);
    if (application.has("SUCCESS")) {
      assertThat(
              application.get("SUCCESS").asLong()
                  + application.get("FAILURE").asLong()
                  + application.get("TIMEOUT").asLong()
                  + application.get("SHORT_CIRCUITED").asLong()
                  + application.get("THREAD_POOL_REJECTED").asLong())
          .as("%s", run)
          .isEqualTo(sent);
      assertThat(run.get("answeredByFallback").asLong())
          .as("%s", run)
          .isEqualTo(application.get("FALLBACK_SUCCESS").asLong());
    } else {
      assertThat(run.get("failed").asLong()).as("%s", run).isZero();
      assertThat(received).as("%s", run).isEqualTo(answered);
    }
    assertThat(received)
        .as("%s", run)
        .isBetween(application.get("answered").asLong(), application.get("asked").asLong());
  }

  private static void changesWhileItRuns(JsonNode phases, long sized) {
    assertThat(phases).hasSize(4);
    assertThat(phases.get(0).get("knownAfterMillis").isNull()).isTrue();
    for (int changed = 1; changed < 4; changed++) {
      JsonNode phase = phases.get(changed);
      assertThat(phase.get("knownAfterMillis").isNumber()).as("%s", phase).isTrue();
      assertThat(phase.get("coreSize").asLong())
          .as("%s", phase)
          .isEqualTo(changed == 2 ? 2 : sized);
    }
  }

  private static void leavesNothing(List<ProcessHandle> before) {
    assertThat(ProcessHandle.current().descendants().filter(now -> !before.contains(now)))
        .isEmpty();
    await()
        .atMost(PatientWaits.patience())
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("load-")));
  }

  @Test
  void main_interrupted_reportsTheResultsSoFarAndLeavesNoProcess() throws Exception {
    ProgramRun run =
        ProgramRun.interrupted(
            TunedEndpoint.class,
            directory,
            "| unguarded | closed model, 20 users",
            ProgramRun::descendants);

    // how many it had begun by then is a matter of how fast this reads the first row
    assertThat(run.lines())
        .anyMatch(line -> line.matches("([1-9]|1[01]) of 11 runs; in each.*agree\\."));
    assertThat(report().get("accountingHolds").asBoolean()).isTrue();
    assertThat(report().get("complete").asBoolean()).isFalse();
    assertThat(run.children()).hasSize(2);
    await()
        .atMost(PatientWaits.patience())
        .until(() -> run.children().stream().noneMatch(ProcessHandle::isAlive));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  @Tag("field")
  void signal_onAnIdleMachine_leavesNoChildWithinFiveSeconds(String signal) throws Exception {
    Signals.leavesNoChild(TunedEndpoint.class, List.of(), directory, 2, signal, Signals.PROMISED);
  }

  @Test
  @Tag("field")
  void demo_showsTheKnee_andWhatTheRulesRepair() throws Exception {
    assertThat(Demo.of(TunedEndpoint.class, List.of(), directory, 5)).isNotEmpty();
  }

  @Test
  void run_whoseApplicationDies_reportsTheResultsSoFar() throws Exception {
    List<ProcessHandle> before = ProcessHandle.current().descendants().toList();
    LineWatch watch = LineWatch.killingAt("| " + Configuration.UNGUARDED.title());

    assertThatThrownBy(() -> ProgramRun.little(new TunedEndpoint(), watch, directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ended with exit code 137");
    assertThat(watch.shown())
        .contains("1 of 11 runs; in each", "Incomplete: the ", "ended with exit code 137");
    assertThat(report().get("runs")).hasSize(1);
    assertThat(report().get("complete").asBoolean()).isFalse();
    assertThat(report().get("brokenOffBecause").asText()).contains("exit code 137");
    leavesNothing(before);
  }

  @Test
  void run_onABusyPort_doesNotStart() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> arguments = List.of("--port", Integer.toString(taken.getLocalPort()));
      assertThatThrownBy(
              () -> Program.run(new TunedEndpoint(), arguments, Stop.onDemand(), System.out))
          .isInstanceOf(IOException.class)
          .hasMessageMatching("port \\d+ of 127.0.0.1 is in use; expected a free one, or 0.*");
    }
  }

  @Test
  void run_withAWrongArgument_saysWhich() {
    assertThatThrownBy(
            () ->
                Program.run(
                    new TunedEndpoint(), List.of("--users", "9"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("'--users'");
    assertThatThrownBy(
            () ->
                Program.run(
                    new TunedEndpoint(), List.of("--port", "66000"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--port is 66000, expected a whole number from 0 to 65535");
  }

  private JsonNode report() throws IOException {
    return new ObjectMapper().readTree(directory.resolve("system1.json").toFile());
  }
}
