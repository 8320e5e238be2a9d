// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example as a user runs it, with fewer shops: it ends with an account, and with code 0. */
@Tag("long")
class FleetLongTest {

  @Test
  void example_withThreeShops_losesNothing() throws Exception {
    Process process = start("3");
    try {
      List<String> said;
      try (var lines = process.inputReader()) {
        said = lines.lines().toList();
      }
      String all = String.join("\n", said);
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(all).isTrue();
      assertThat(all)
          .contains("the fleet is at http://localhost:")
          .contains("3 of 3 shops go by version 5, with 1 set of settings in force")
          .contains("no call failed in 3 shops")
          .endsWith("Nothing was lost.");
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void example_thatIsKilled_leavesNoShop() throws Exception {
    Process process = start("2");
    try (BufferedReader lines = process.inputReader()) {
      String line = lines.readLine();
      while (line != null && !line.equals("2 shops are there")) {
        line = lines.readLine();
      }
      assertThat(line).isNotNull();
      List<ProcessHandle> shops = process.descendants().toList();
      assertThat(shops).hasSizeGreaterThanOrEqualTo(2);
      process.destroyForcibly();
      try {
        await()
            .atMost(Duration.ofMinutes(2))
            .untilAsserted(() -> assertThat(shops).noneMatch(ProcessHandle::isAlive));
      } finally {
        shops.forEach(ProcessHandle::destroyForcibly);
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private static Process start(String shops) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
            "-cp",
            System.getProperty("java.class.path"),
            Fleet.class.getName(),
            shops)
        .redirectErrorStream(true)
        .start();
  }
}
