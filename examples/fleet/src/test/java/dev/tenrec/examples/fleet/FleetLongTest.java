// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example as a user runs it, with fewer shops: it ends with an account, and with code 0. */
@Tag("long")
class FleetLongTest {

  @Test
  void example_withThreeShops_losesNothing() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty("java.class.path"),
                Fleet.class.getName(),
                "3")
            .redirectErrorStream(true)
            .start();
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
}
