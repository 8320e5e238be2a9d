// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParameterException;

/** The short form, in JVMs of its own. */
class CollapseTest {

  @TempDir Path directory;

  @Test
  void run_short_accountsForEveryCallOnThreeSides() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int code =
        Program.run(
            new Collapse(),
            List.of("--short", "--directory", directory.toString()),
            Stop.onDemand(),
            new PrintStream(bytes, true, StandardCharsets.UTF_8));
    String shown = bytes.toString(StandardCharsets.UTF_8);

    assertThat(code).as(shown).isEqualTo(ReportWriter.HOLDS);
    assertThat(shown).contains("3 of 3 runs; in each").contains("closed model", "open model");
    Map<String, Object> report = report();
    assertThat(report).containsEntry("accountingHolds", true).containsEntry("planned", 3L);
    assertThat(objects(report, "steady"))
        .hasSize(1)
        .allSatisfy(CollapseTest::balances)
        .allSatisfy(run -> assertThat(count(run, "answered")).isPositive());
    assertThat(shown).contains("injector lag p99 / max ms", "| this run |");
    assertThat(objects(report, "ratios"))
        .hasSize(12)
        .anySatisfy(row -> assertThat(row).containsEntry("measured", true))
        .anySatisfy(row -> assertThat(row).containsEntry("thisRun", "not measured"));
    List<Map<String, Object>> surges = objects(report, "surges");
    assertThat(surges).hasSize(2);
    for (Map<String, Object> run : surges) {
      accountsOnThreeSides(run);
    }
    assertThat(directory.resolve("system2-1kB-answered.svg")).content().contains("polyline");
    assertThat(directory.resolve("system2-100kB-queue.svg")).content().contains("polyline");
    assertNothingIsLeft();
  }

  private static void accountsOnThreeSides(Map<String, Object> run) {
    Map<String, Object> driver = object(run.get("withWarmUp"));
    balances(driver);
    assertThat(run).containsEntry("remark", "");
    long received = count(run, "c.received");
    long answered = count(run, "c.answered");
    assertThat(received)
        .isEqualTo(answered + count(run, "c.refused") + count(run, "c.failed"))
        .isBetween(count(driver, "answered"), count(driver, "sent"));
    assertThat(count(driver, "answered")).isLessThanOrEqualTo(answered);
    assertThat(count(run, "p.done"))
        .isEqualTo(count(run, "p.begun"))
        .isBetween(count(run, "c.succeeded"), count(run, "c.attempts"));
    if (run.get("guarded").equals(true)) {
      assertThat(count(run, "command.SUCCESS")).isEqualTo(answered);
      assertThat(
              count(run, "command.SUCCESS")
                  + count(run, "command.FAILURE")
                  + count(run, "command.TIMEOUT")
                  + count(run, "command.THREAD_POOL_REJECTED")
                  + count(run, "command.SHORT_CIRCUITED"))
          .isEqualTo(received);
    } else {
      assertThat(count(run, "c.succeeded")).isEqualTo(answered);
    }
  }

  private static void balances(Map<String, Object> driver) {
    assertThat(count(driver, "sent"))
        .isPositive()
        .isEqualTo(count(driver, "answered") + count(driver, "failed") + count(driver, "refused"));
    assertThat(count(driver, "due")).isEqualTo(count(driver, "sent") + count(driver, "neverSent"));
  }

  /** Neither a thread of the drivers, nor a process. */
  private static void assertNothingIsLeft() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () -> {
              assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                  .isEmpty();
              assertThat(Thread.getAllStackTraces().keySet())
                  .extracting(Thread::getName)
                  .noneMatch(
                      name -> name.startsWith("load-") || name.matches("(asking|listening-to)-.*"));
            });
  }

  @Test
  void main_interruptedInASurge_tellsTheResultsSoFar() throws Exception {
    Process process =
        ChildJvm.start(
            128, Collapse.class, List.of("--short", "--directory", directory.toString()));
    List<ProcessHandle> children = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
        if (line.startsWith("| 1 kB | 10 |")) {
          // those of the surge that begins now
          Awaitility.await()
              .atMost(Duration.ofSeconds(30))
              .until(() -> process.children().count() >= 3);
          process.children().forEach(children::add);
          // which a JVM takes as it takes Ctrl-C; process.destroy() would close its output
          assertThat(process.toHandle().destroy()).isTrue();
        }
      }
    } finally {
      process.destroy();
    }
    process.waitFor();

    assertThat(lines).anyMatch(line -> line.matches("[1-3] of 3 runs; in each.*agree\\."));
    assertThat(report()).containsEntry("accountingHolds", true);
    assertThat(objects(report(), "steady")).hasSize(1);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void run_whoseConsumerDiesInASurge_tellsTheResultsSoFar() throws Exception {
    Trial trial =
        new Trial(Form.SHORT, 0, Stop.onDemand()) {
          @Override
          SurgeRun surge(Setup setup, double capacity) throws IOException {
            throw new IOException("the consumer ended with exit code 3");
          }
        };
    LineWatch watch = new LineWatch("nothing", () -> {});

    assertThatThrownBy(
            () ->
                Collapse.run(
                    Form.SHORT, Form.PAYLOADS, trial, Stop.onDemand(), directory, watch.out()))
        .isInstanceOf(IOException.class)
        .hasMessage("the consumer ended with exit code 3");
    assertThat(watch.shown())
        .contains("1 of 3 runs; in each", "Incomplete: the consumer ended with exit code 3.");
    assertThat(objects(report(), "steady")).hasSize(1);
    assertThat(objects(report(), "surges")).isEmpty();
    assertThat(report())
        .containsEntry("complete", false)
        .containsEntry("brokenOffBecause", "the consumer ended with exit code 3");
    assertNothingIsLeft();
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
      assertThatThrownBy(() -> Program.run(new Collapse(), arguments, Stop.onDemand(), System.out))
          .isInstanceOf(IOException.class)
          .hasMessageMatching(
              "the provider ended with exit code 2 before it was ready; it said: .*in use.*");
    }
  }

  @Test
  void run_wrongArguments_saysWhatWasExpected() {
    assertThatThrownBy(
            () ->
                Program.run(
                    new Collapse(), List.of("--payload", "10"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessage("--payload is 10, expected 1 or 100");
    assertThatThrownBy(
            () -> Program.run(new Collapse(), List.of("--loud"), Stop.onDemand(), System.out))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("'--loud'");
  }

  private Map<String, Object> report() throws Exception {
    return object(JsonText.parse(Files.readString(directory.resolve("system2.json"))));
  }

  private static List<Map<String, Object>> objects(Map<String, Object> report, String name) {
    return ((List<?>) report.get(name)).stream().map(CollapseTest::object).toList();
  }

  @SuppressWarnings("unchecked") // an object's keys are strings
  private static Map<String, Object> object(Object json) {
    return (Map<String, Object>) json;
  }

  private static long count(Map<String, Object> run, String name) {
    assertThat(run.get(name)).as(name).isInstanceOf(Long.class);
    return (Long) run.get(name);
  }
}
