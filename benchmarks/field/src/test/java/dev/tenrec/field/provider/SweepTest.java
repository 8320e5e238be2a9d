// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static dev.tenrec.field.kit.JsonText.number;
import static dev.tenrec.field.kit.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.field.kit.JsonText;
import dev.tenrec.field.kit.LineWatch;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.ProgramRun;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.metrics.PatientWaits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParameterException;

/** The short form, with provider and store in JVMs of their own. */
class SweepTest {

  private static final int PLANNED = Form.SHORT.planned(EnumSet.allOf(Part.class));

  @TempDir Path directory;

  @Test
  void run_short_accountsForEveryCall() throws Exception {
    Set<ProcessHandle> processesBefore = processes();
    String shown = ProgramRun.little(new Sweep(), directory).shown();

    assertThat(shown)
        .contains(PLANNED + " of " + PLANNED + " points; in each")
        .contains("Closed model: 100 users");
    assertThat(report()).containsEntry("accountingHolds", true).containsEntry("complete", true);
    List<Map<String, Object>> points = points();
    assertThat(points).hasSize(PLANNED - Canary.PHASES);
    accountForThemselves(JsonText.objects(report(), "canary"));
    for (Map<String, Object> point : points) {
      accountsForItself(point);
    }
    // which point answers or refuses how many is a matter of how fast this machine is
    assertThat(sum(points, "answered")).isGreaterThan(PLANNED);
    assertThat(sum(points, "refused")).isPositive();
    assertThat(directory.resolve("system4-isFollow-answers.svg")).content().contains("polyline");
    leavesNoneBut(processesBefore);
    assertThat(threads()).noneMatch(name -> name.startsWith("load-") || name.startsWith("driver-"));
  }

  /**
   * Both instances in each phase: which of them a setting was kept on is a matter of chance here.
   */
  private static void accountForThemselves(List<Map<String, Object>> phases) {
    assertThat(phases).hasSize(Canary.PHASES);
    for (Map<String, Object> phase : phases) {
      accountsForItself(object(phase.get("changedFirst")));
      accountsForItself(object(phase.get("other")));
    }
    assertThat(phases)
        .extracting(phase -> phase.get("phase"))
        .filteredOn(phase -> phase.equals("kept, on both") || phase.equals("taken back"))
        .hasSize(Canary.TRIED.size());
  }

  private static void accountsForItself(Map<String, Object> point) {
    Map<String, Object> provider = object(point.get("provider"));
    double sent = 0;
    for (Map.Entry<String, Object> entry : object(point.get("methods")).entrySet()) {
      String key = entry.getKey();
      Map<String, Object> method = object(entry.getValue());
      double answered = number(method, "answered");
      double refused = number(method, "refused");
      assertThat(number(method, "failed")).isZero();
      assertThat(number(method, "sent")).isEqualTo(answered + refused);
      assertThat(number(provider, key + ".SUCCESS")).isEqualTo(answered);
      assertThat(number(provider, key + ".THREAD_POOL_REJECTED")).isEqualTo(refused);
      assertThat(number(object(point.get("store")), key + ".entered")).isEqualTo(answered);
      sent += answered + refused;
      String pool = (Boolean) method.get("ownPool") ? key : Point.SHARED;
      holdsWhatItWasSetTo(pool, method, object(point.get("settings")), provider);
    }
    assertThat(number(provider, "received")).isEqualTo(sent);
  }

  /** Nobody who fits is refused, and there are never more threads than may be. */
  private static void holdsWhatItWasSetTo(
      String pool,
      Map<String, Object> method,
      Map<String, Object> settings,
      Map<String, Object> provider) {
    String prefix = "tenrec.threadpool." + pool + ".";
    int maximum = Integer.parseInt((String) settings.get(prefix + "maximumSize"));
    int permits =
        maximum + Integer.parseInt((String) settings.get(prefix + "queueSizeRejectionThreshold"));
    assertThat(number(method, "threads")).isLessThanOrEqualTo(maximum);
    double users = pool.equals(Point.SHARED) ? Form.USERS : number(method, "users");
    if (permits >= users) {
      assertThat(number(provider, "pool." + pool + ".rejected")).isZero();
    }
  }

  private static double sum(List<Map<String, Object>> points, String figure) {
    return points.stream()
        .flatMap(point -> object(point.get("methods")).values().stream())
        .mapToDouble(method -> number(object(method), figure))
        .sum();
  }

  @Test
  void main_interrupted_reportsTheResultsSoFar_andLeavesNoProcess() throws Exception {
    ProgramRun run =
        ProgramRun.interrupted(
            Sweep.class, directory, "| isFollow | fixed 4, no queue |", ProgramRun::descendants);

    // how many it had begun by then is a matter of how fast this reads the first row
    int measured = points().size();
    assertThat(measured).isBetween(1, PLANNED);
    assertThat(run.lines())
        .anyMatch(
            line -> line.matches(measured + " of " + PLANNED + " points.*; in each.*agree\\."));
    assertThat(report())
        .containsEntry("accountingHolds", true)
        .containsEntry("complete", false)
        .containsEntry("brokenOffBecause", "stopped by the user");
    assertThat(run.children()).hasSize(2);
    await()
        .atMost(PatientWaits.patience())
        .until(() -> run.children().stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void main_interruptedInAStart_saysThatItIsIncomplete_andLeavesNoProcess() throws Exception {
    ProgramRun run =
        ProgramRun.interrupted(
            Sweep.class,
            directory,
            "One provider for all points",
            process -> {
              await()
                  .atMost(PatientWaits.patience())
                  .until(() -> process.children().findAny().isPresent());
              return process.children().toList();
            });

    assertThat(run.code()).isNotZero();
    assertThat(run.lines()).contains("Incomplete: stopped by the user.");
    assertThat(report()).containsEntry("complete", false);
    assertThat(points()).isEmpty();
    assertThat(run.children()).isNotEmpty();
    await()
        .atMost(PatientWaits.patience())
        .until(() -> run.children().stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void run_whoseProviderDies_reportsTheResultsSoFar() throws Exception {
    Set<ProcessHandle> processesBefore = processes();
    LineWatch watch = LineWatch.killingAt("| isFollow | fixed 4, no queue |");

    assertThatThrownBy(() -> ProgramRun.little(new Sweep(), watch, directory))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("the (provider|store) ended with exit code 137 .*");
    assertThat(watch.shown())
        .contains("1 of " + PLANNED + " points", "Incomplete: the ", "exit code 137");
    assertThat(points()).hasSize(1);
    assertThat(report()).containsEntry("complete", false);
    assertThat((String) report().get("brokenOffBecause")).contains("exit code 137");
    leavesNoneBut(processesBefore);
  }

  @Test
  void run_ofOnePart_leavesTheOthersOut() throws Exception {
    String shown = ProgramRun.little(new Sweep(), directory, "--part", "capacity").shown();

    assertThat(shown).contains("3 of 3 points; in each").contains("What one instance can do");
    assertThat(points()).extracting(point -> point.get("part")).containsOnly("CAPACITY");
    assertThat(points())
        .extracting(point -> (int) number(point, "callsPerSecond") > 0)
        .containsExactly(false, true, true);
    assertThat(JsonText.objects(report(), "canary")).isEmpty();
  }

  @Test
  void run_onABusyPort_doesNotStart() throws Exception {
    Set<ProcessHandle> processesBefore = processes();
    ProgramRun.onABusyPort(new Sweep(), directory, "provider");
    leavesNoneBut(processesBefore);
  }

  @Test
  void run_withWrongArguments_saysWhatAndWhatWasExpected() {
    assertThatThrownBy(
            () -> Program.run(new Sweep(), List.of("--loud"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessage("Unknown option: '--loud'");
    assertThatThrownBy(
            () -> Program.run(new Sweep(), List.of("--port", "x"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessageContainingAll("--port", "x", "int");
    assertThatThrownBy(
            () -> Program.run(new Sweep(), List.of("--port", "65536"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--port is 65536, expected a whole number from 0 to 65535");
  }

  private static void leavesNoneBut(Set<ProcessHandle> before) {
    await()
        .atMost(PatientWaits.patience())
        .untilAsserted(() -> assertThat(before).containsAll(processes()));
  }

  private static Set<ProcessHandle> processes() {
    return ProcessHandle.current().descendants().collect(Collectors.toSet());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }

  private Map<String, Object> report() throws Exception {
    return JsonText.read(directory.resolve("system4.json"));
  }

  private List<Map<String, Object>> points() throws Exception {
    return JsonText.objects(report(), "points");
  }
}
