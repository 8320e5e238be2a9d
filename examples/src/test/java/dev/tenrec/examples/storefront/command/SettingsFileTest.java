// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.storefront.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {

  @TempDir Path directory;
  private SettingsFile file;

  @BeforeEach
  void create() throws IOException {
    file =
        SettingsFile.create(
            directory.resolve("new"), Duration.ofMillis(800), Duration.ofMillis(900));
  }

  @Test
  void create_writesTheFirstValues() throws IOException {
    assertThat(lines())
        .contains(
            SettingsFile.PRICE_TIMEOUT + "=1000",
            "tenrec.command.default.circuitBreaker.sleepWindowInMilliseconds=800",
            "tenrec.command.default.metrics.rollingStats.timeInMilliseconds=900");
  }

  @Test
  void set_keepsWhatSomebodyEdited() throws IOException {
    List<String> edited = lines().stream().map(line -> line.replace("=6", "=3")).toList();
    Files.write(file.path(), edited);

    file.set(SettingsFile.PRICE_TIMEOUT, "200");

    assertThat(lines())
        .isEqualTo(
            edited.stream()
                .map(
                    line ->
                        line.startsWith(SettingsFile.PRICE_TIMEOUT)
                            ? SettingsFile.PRICE_TIMEOUT + "=200"
                            : line)
                .toList())
        .contains(SettingsFile.PRICE_TIMEOUT + "=200")
        .anyMatch(line -> line.endsWith("=3"));
  }

  @Test
  void set_whenTheLineIsGone_addsIt() throws IOException {
    Files.writeString(file.path(), "# mine\n");

    file.set("a.b", "c");

    assertThat(lines()).containsExactly("# mine", "a.b=c");
  }

  @Test
  void set_leavesNoOtherFile() throws IOException {
    file.set("a.b", "c");

    try (var files = Files.list(file.path().getParent())) {
      assertThat(files).containsExactly(file.path());
    }
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(file.path());
  }
}
