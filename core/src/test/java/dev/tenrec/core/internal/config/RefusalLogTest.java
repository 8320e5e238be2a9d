// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What stands in the log, as the tests' logging writes it. */
class RefusalLogTest {

  @Test
  void badValue_thatStays_isLoggedOnce() {
    MapSource source = new MapSource();
    String key = "tenrec.command.LoggedOnce.fallback.isolation.semaphore.maxConcurrentRequests";
    String log =
        logOf(
            () -> {
              try (Configuration configuration = Configuration.open(source)) {
                source.set(key, "many").set("tenrec.command.LoggedOnce.fallback.enabled", "false");
                configuration.command("LoggedOnce", CodeSettings.command().build(), settings -> {});
              }
            });
    assertThat(log).containsOnlyOnce(key + " = many: must be a whole number");
  }

  @Test
  void badValue_withLineBreaks_isLoggedInOneLine() {
    MapSource source = new MapSource();
    String key = "tenrec.command.Odd\nWARN forged.fallback.enabled";
    String log =
        logOf(
            () -> {
              try (Configuration configuration = Configuration.open(source)) {
                source.set(key, "perhaps\nERROR forged");
                configuration.command(
                    "Odd\nWARN forged", CodeSettings.command().build(), settings -> {});
              }
            });
    assertThat(log.lines().filter(line -> line.contains("forged"))) // other threads log as well
        .hasSize(1)
        .first()
        .asString()
        .contains("perhaps\\nERROR forged");
  }

  private static String logOf(Runnable action) {
    PrintStream before = System.err;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setErr(before);
    }
    return written.toString(StandardCharsets.UTF_8);
  }
}
