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
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
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
    for (String plot : List.of("load-percentiles.svg", "load-seconds.svg")) {
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
  void main_interrupted_tellsTheResultsSoFar() throws Exception {
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
      await().atMost(Duration.ofSeconds(60)).until(() -> service.counts().received() >= 50);
      // which a JVM takes as it takes Ctrl-C; process.destroy() would close its output
      assertThat(process.toHandle().destroy()).isTrue();
      String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(shown).contains("open model, 200 calls/s", "p99.9").doesNotContain("WRONG");
      assertThat(report())
          .containsEntry("balances", true)
          .containsEntry("failed", 0L)
          .containsEntry("answered", service.counts().received());
    }
  }

  @Test
  void read_wrong_saysWhatAndWhatWasExpected() {
    wrong("--url", "--rate", "1");
    wrong("--rate", "--url", HERE);
    wrong("mutually exclusive", "--url", HERE, "--rate", "1", "--users", "1");
    wrong("--rate is 0, expected a whole number from 1 to 50000", "--url", HERE, "--rate", "0");
    wrong("fiber", "--url", HERE, "--rate", "1", "--engine", "fiber");
    wrong("--loud", "--url", HERE, "--rate", "1", "--loud");
    wrong(
        "the address is http://192.0.2.1:80/: it is not on this machine; expected one like"
            + " http://127.0.0.1:8080/path",
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

  private String run(String model, String number) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DelayService service = DelayService.open(0);
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      List<String> arguments =
          List.of(
              "--url",
              service.uri() + "delay/1",
              model,
              number,
              "--requests",
              "150",
              "--directory",
              directory.toString());
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
