// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tenrec.field.kit.ChildJvm;
import dev.tenrec.field.kit.JsonText;
import dev.tenrec.field.kit.Program;
import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.service.DelayService;
import dev.tenrec.metrics.PatientWaits;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ParameterException;

/** The driver as a program. */
class LoadTest {

  private static final String HERE = "http://[::1]:1/";

  @TempDir Path directory;

  @Test
  void run_open_printsAndWritesWhatItMeasured() throws Exception {
    String shown = run("--rate", "300");

    assertThat(shown)
        .contains("asynchronous I/O, open model, 300 calls/s")
        .contains("due 150 = sent 150 + never sent 0; sent = answered 150 + failed 0 + refused 0")
        .contains("p99.9")
        .contains("injector lag")
        .doesNotContain("WRONG")
        .doesNotContain("\r");
    assertThat(report())
        .containsEntry("model", "open model, 300 calls/s")
        .containsEntry("answered", 150L)
        .containsEntry("balances", true)
        .containsKey("injectorLag");
    for (String plot :
        List.of("load-percentiles.svg", "load-seconds.svg", "load-latency.svg", "load.html")) {
      assertThat(
              DocumentBuilderFactory.newInstance()
                  .newDocumentBuilder()
                  .parse(directory.resolve(plot).toFile())
                  .getElementsByTagName("polyline")
                  .getLength())
          .as(plot)
          .isPositive();
    }
  }

  @Test
  void run_closed_isLabelledSoEverywhere() throws Exception {
    String shown = run("--users", "5");

    assertThat(shown).contains("closed model, 5 users").doesNotContain("injector lag");
    assertThat(report()).containsEntry("model", "closed model, 5 users");
    assertThat(directory.resolve("load-percentiles.svg")).content().contains("closed model");
    assertThat(directory.resolve("load-seconds.svg")).content().contains("closed model");
  }

  @Test
  void run_withARequest_sendsItToAllTargetsInTurn() throws Exception {
    Path file = Files.writeString(directory.resolve("body"), "a=1");
    try (RecordingService one = RecordingService.open(200);
        RecordingService other = RecordingService.open(500)) {
      List<String> arguments =
          List.of(
              "--url",
              one.uri() + "a",
              "--url",
              other.uri() + "b",
              "--method",
              "post",
              "--header",
              "Content-Type: text/plain",
              "--header",
              "X-Shop: one, two",
              "--body-file",
              file.toString(),
              "--users",
              "2",
              "--requests",
              "20",
              "--engine",
              "pool",
              "--directory",
              directory.toString());
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

      assertThat(Program.run(new Load(), arguments, Stop.onDemand(), out)).isZero();

      assertThat(one.received()).hasSize(10).containsOnly("POST /a text/plain | one, two | a=1");
      assertThat(other.received()).hasSize(10).containsOnly("POST /b text/plain | one, two | a=1");
      assertThat(bytes.toString(StandardCharsets.UTF_8))
          .contains("Load on " + one.uri() + "a: POST of 3 bytes")
          .contains("answered 10 + failed 10 + refused 0")
          .contains(one.uri() + "a: sent 10, answered 10")
          .contains(other.uri() + "b: sent 10, answered 0");
      assertThat(report())
          .containsEntry("request", "POST of 3 bytes")
          .containsEntry(
              "targets",
              Map.of(
                  one.uri() + "a", Map.of("sent", 10L, "answered", 10L),
                  other.uri() + "b", Map.of("sent", 10L, "answered", 0L)));
    }
  }

  @Test
  void run_ofHead_needsNoBodyOfTheAnswer() throws Exception {
    try (RecordingService service = RecordingService.open(200)) {
      for (String engine : List.of("pool", "async")) {
        List<String> arguments =
            List.of(
                "--url",
                service.uri() + "a",
                "--method",
                "HEAD",
                "--users",
                "1",
                "--requests",
                "3",
                "--engine",
                engine,
                "--directory",
                directory.toString());
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true);
        assertThat(Program.run(new Load(), arguments, Stop.onDemand(), out)).isZero();
        assertThat(report()).containsEntry("answered", 3L);
      }
      assertThat(service.received()).hasSize(6).containsOnly("HEAD /a null | null | ");
    }
  }

  @Test
  void run_withARamp_saysSo_andHasPercentilesOfEachSecond() throws Exception {
    String shown = run("--rate", "300", "--ramp", "1");

    assertThat(shown).contains("open model, 300 calls/s after a ramp of 1.0 s");
    assertThat((List<?>) report().get("seconds"))
        .isNotEmpty()
        .allSatisfy(
            second ->
                assertThat(second)
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsKeys("fromSeconds", "answered", "lost", "sinceIntended", "sinceSent"));
  }

  @Test
  void main_interrupted_reportsTheResultsSoFar() throws Exception {
    try (DelayService service = DelayService.open(0)) {
      Process process =
          ChildJvm.start(
              64,
              Load.class,
              List.of(
                  "--url",
                  service.uri() + "delay/1",
                  "--rate",
                  "200",
                  "--directory",
                  directory.toString()));
      await().atMost(PatientWaits.patience()).until(() -> service.counts().received() >= 50);
      // which a JVM takes as it takes Ctrl-C; process.destroy() would close its output
      assertThat(process.toHandle().destroy()).isTrue();
      String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(shown).contains("open model, 200 calls/s", "p99.9").doesNotContain("WRONG");
      // what a slow machine has not answered two seconds later is broken off
      Map<String, Object> report = report();
      assertThat(report).containsEntry("balances", true);
      assertThat((Long) report.get("answered"))
          .isPositive()
          .isLessThanOrEqualTo(service.counts().received());
      assertThat((Long) report.get("answered") + (Long) report.get("failed"))
          .isGreaterThanOrEqualTo(service.counts().received());
    }
  }

  @Test
  void run_moreFailuresThanStated_hasAnExitCode() throws Exception {
    try (DelayService service = DelayService.open(0);
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true)) {
      List<String> failing =
          List.of(
              "--url",
              service.uri() + "delay/never",
              "--rate",
              "100",
              "--requests",
              "5",
              "--directory",
              directory.toString());
      List<String> strict = new ArrayList<>(failing);
      strict.addAll(List.of("--most-failed", "99"));

      assertThat(Program.run(new Load(), failing, Stop.onDemand(), out)).isZero();
      assertThat(Program.run(new Load(), strict, Stop.onDemand(), out)).isEqualTo(3);
    }
    // nothing was answered: no plot of answers, and no time that was never measured
    assertThat(directory.resolve("load-percentiles.svg")).doesNotExist();
    assertThat(directory.resolve("load-latency.svg")).doesNotExist();
    assertThat(Files.readString(directory.resolve("load.html")))
        .contains("nothing was answered")
        .doesNotContain("<figure>")
        .doesNotContainPattern("since (intended|sent).*0\\.00");
    assertThat(Files.readString(directory.resolve("load.json"))).contains("\"p99Millis\" : null");
  }

  @Test
  void read_wrong_saysWhatAndWhatWasExpected() {
    wrong("--url", "--rate", "1");
    wrong("--rate", "--url", HERE);
    wrong("mutually exclusive", "--url", HERE, "--rate", "1", "--users", "1");
    wrong("--rate is 0, expected a whole number from 1 to 50000", "--url", HERE, "--rate", "0");
    wrong("fiber", "--url", HERE, "--rate", "1", "--engine", "fiber");
    wrong("--loud", "--url", HERE, "--rate", "1", "--loud");
    wrong("the method is BREW", "--url", HERE, "--rate", "1", "--method", "brew");
    wrong("the header is 'Shop'", "--url", HERE, "--rate", "1", "--header", "Shop");
    wrong("--url is given twice: ", "--url", HERE, "--url", HERE, "--rate", "1");
    wrong("--ramp is 3601", "--url", HERE, "--rate", "1", "--ramp", "3601");
    wrong("mutually", "--url", HERE, "--rate", "1", "--body", "x", "--body-file", "y");
    wrong(
        "the address is http://192.0.2.1:80/: it is not on this machine, and 192.0.2.1:80 is not"
            + " allowed; expected one like http://127.0.0.1:8080/path",
        "--url",
        "http://192.0.2.1:80/",
        "--rate",
        "1");
  }

  private static void wrong(String message, String... words) {
    assertThatThrownBy(() -> Program.run(new Load(), List.of(words), Stop.onDemand(), System.out))
        .isInstanceOfAny(ParameterException.class, IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private String run(String... model) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DelayService service = DelayService.open(0);
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      List<String> arguments = new ArrayList<>(List.of(model));
      arguments.addAll(
          List.of(
              "--url",
              service.uri() + "delay/1",
              "--requests",
              "150",
              "--directory",
              directory.toString()));
      int code = Program.run(new Load(), arguments, Stop.onDemand(), out);
      assertThat(code).isZero();
      assertThat(service.counts().received()).isEqualTo(150);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @SuppressWarnings("unchecked") // an object's keys are strings
  private Map<String, Object> report() throws Exception {
    return (Map<String, Object>) JsonText.parse(Files.readString(directory.resolve("load.json")));
  }
}
