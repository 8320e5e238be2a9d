// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParameterException;

/** The short form, with provider and store in JVMs of their own. */
class SweepTest {

  private static final int POINTS = Form.SHORT.points().size();

  private static final Duration SOON = Duration.ofSeconds(10);

  @TempDir Path directory;

  @Test
  void run_short_accountsForEveryCall() throws Exception {
    Set<ProcessHandle> processesBefore = processes();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code =
        Program.run(
            new Sweep(),
            List.of("--short", "--directory", directory.toString()),
            Stop.onDemand(),
            new PrintStream(bytes, true, StandardCharsets.UTF_8));
    String shown = bytes.toString(StandardCharsets.UTF_8);

    assertThat(code).as(shown).isEqualTo(ReportWriter.HOLDS);
    assertThat(shown)
        .contains(POINTS + " of " + POINTS + " points; in each")
        .contains("Closed model: 100 users");
    assertThat(report()).containsEntry("accountingHolds", true).containsEntry("complete", true);
    List<Map<String, Object>> points = points();
    assertThat(points).hasSize(POINTS);
    for (Map<String, Object> point : points) {
      accountsForItself(point);
    }
    // which point answers or refuses how many is a matter of how fast this machine is
    assertThat(sum(points, "answered")).isGreaterThan(POINTS);
    assertThat(sum(points, "refused")).isPositive();
    assertThat(directory.resolve("system4-isFollow-answers.svg")).content().contains("polyline");
    leavesNoneBut(processesBefore);
    assertThat(threads()).noneMatch(name -> name.startsWith("load-") || name.startsWith("driver-"));
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
  void main_interrupted_tellsTheResultsSoFar_andLeavesNoProcess() throws Exception {
    Process process =
        ChildJvm.start(128, Sweep.class, List.of("--short", "--directory", directory.toString()));
    List<String> lines = new ArrayList<>();
    List<ProcessHandle> children = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
        if (line.startsWith("| isFollow | fixed 4, no queue |")) {
          children.addAll(process.descendants().toList());
          // which a JVM takes as it takes Ctrl-C; process.destroy() would close its output
          assertThat(process.toHandle().destroy()).isTrue();
        }
      }
    } finally {
      process.destroy();
    }
    process.waitFor();

    // how many it had begun by then is a matter of how fast this is told of the first row
    int measured = points().size();
    assertThat(measured).isBetween(1, POINTS);
    assertThat(lines)
        .anyMatch(
            line -> line.matches(measured + " of " + POINTS + " points.*; in each.*agree\\."));
    assertThat(report())
        .containsEntry("accountingHolds", true)
        .containsEntry("complete", false)
        .containsEntry("brokenOffBecause", "stopped by the user");
    assertThat(children).hasSize(2);
    await().atMost(SOON).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void main_interruptedInAStart_saysThatItIsIncomplete_andLeavesNoProcess() throws Exception {
    Process process =
        ChildJvm.start(128, Sweep.class, List.of("--short", "--directory", directory.toString()));
    List<String> lines = new ArrayList<>();
    List<ProcessHandle> children = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
        if (line.startsWith("One provider for all points")) {
          await().atMost(SOON).until(() -> process.children().findAny().isPresent());
          process.children().forEach(children::add);
          assertThat(process.toHandle().destroy()).isTrue();
        }
      }
    } finally {
      process.destroy();
    }

    assertThat(process.waitFor()).isNotZero();
    assertThat(lines).contains("Incomplete: stopped by the user.");
    assertThat(report()).containsEntry("complete", false);
    assertThat(points()).isEmpty();
    assertThat(children).isNotEmpty();
    await().atMost(SOON).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void run_whoseProviderDies_tellsTheResultsSoFar() throws Exception {
    Set<ProcessHandle> processesBefore = processes();
    LineWatch watch = LineWatch.killingAt("| isFollow | fixed 4, no queue |");
    List<String> arguments = List.of("--short", "--directory", directory.toString());

    assertThatThrownBy(() -> Program.run(new Sweep(), arguments, Stop.onDemand(), watch.out()))
        .isInstanceOf(IOException.class)
        .hasMessageMatching("the (provider|store) ended with exit code 137 .*");
    assertThat(watch.shown())
        .contains("1 of " + POINTS + " points", "Incomplete: the ", "exit code 137");
    assertThat(points()).hasSize(1);
    assertThat(report()).containsEntry("complete", false);
    assertThat((String) report().get("brokenOffBecause")).contains("exit code 137");
    leavesNoneBut(processesBefore);
  }

  @Test
  void run_onABusyPort_doesNotStart() throws Exception {
    Set<ProcessHandle> processesBefore = processes();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> arguments =
          List.of(
              "--short",
              "--port",
              String.valueOf(taken.getLocalPort()),
              "--directory",
              directory.toString());
      assertThatThrownBy(() -> Program.run(new Sweep(), arguments, Stop.onDemand(), System.out))
          .isInstanceOf(IOException.class)
          .hasMessageMatching(
              "the provider ended with exit code 2 before it was ready; it said: .*in use.*");
    }
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
    await().atMost(SOON).untilAsserted(() -> assertThat(before).containsAll(processes()));
  }

  private static Set<ProcessHandle> processes() {
    return ProcessHandle.current().descendants().collect(Collectors.toSet());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }

  private Map<String, Object> report() throws Exception {
    return object(JsonText.parse(Files.readString(directory.resolve("system4.json"))));
  }

  private List<Map<String, Object>> points() throws Exception {
    return ((List<?>) report().get("points")).stream().map(SweepTest::object).toList();
  }

  @SuppressWarnings("unchecked") // an object's keys are strings
  private static Map<String, Object> object(Object json) {
    return (Map<String, Object>) json;
  }

  private static double number(Map<String, Object> from, String name) {
    assertThat(from.get(name)).as(name).isInstanceOf(Number.class);
    return ((Number) from.get(name)).doubleValue();
  }
}
