// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.load.service.DelayService;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver as one jar, which the package phase makes; so these run after it. */
class LoadJarTest {

  private static final Path JAR = Path.of("target", "tenrec-load.jar");

  @TempDir Path directory;

  @Test
  void jar_runsAlone_andEndsWithItsExitCode() throws Exception {
    try (DelayService service = DelayService.open(0)) {
      String url = service.uri() + "delay/";

      assertThat(run("--url", url + "1", "--rate", "200", "--requests", "50"))
          .contains("due 50 = sent 50 + never sent 0", "p99.9")
          .endsWith("exit code 0");
      assertThat(
              run("--url", url + "never", "--users", "2", "--requests", "9", "--most-failed", "9"))
          .contains("9 of 9 calls failed or were not sent, expected at most 9 %")
          .endsWith("exit code 3");
      assertThat(service.counts().received()).isEqualTo(59);
    }
    assertThat(directory.resolve("load.html")).exists();
    assertThat(directory.resolve("load.json")).exists();
  }

  @Test
  void jar_ofWrongArguments_showsDefaults_andNotWhatWasGiven() throws Exception {
    assertThat(
            run(
                "--url",
                "http://127.0.0.1:1/",
                "--rate",
                "1",
                "--requests",
                "70",
                "--timeout",
                "99"))
        .contains("load: --timeout is 99, expected a whole number from 1 to 60")
        .contains("1 to 10000000 (default 50000)")
        .endsWith("exit code 2");
  }

  /** What is left out of it is not named by what is in it. */
  @Test
  void jar_namesNoClassThatItDoesNotHave() {
    StringWriter found = new StringWriter();
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(found),
                new PrintWriter(found),
                "--multi-release",
                "base",
                "-verbose:class",
                "-filter:none",
                JAR.toString());

    assertThat(code).as(found.toString()).isZero();
    assertThat(found.toString().lines())
        .as("classes of the driver were looked at")
        .anyMatch(line -> line.contains("dev.tenrec.field.load.Driver"));
    assertThat(found.toString().lines())
        // the others are of the jar as a whole
        .filteredOn(line -> line.startsWith(" ") && line.contains("not found"))
        // a mark for compilers, which no JVM looks for
        .filteredOn(line -> !line.contains("org.jspecify.annotations"))
        .isEmpty();
  }

  private String run(String... arguments) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-jar"));
    line.add(JAR.toAbsolutePath().toString());
    line.addAll(List.of(arguments));
    line.addAll(List.of("--directory", directory.toString()));
    Path shown = Files.createTempFile(directory, "shown", ".txt");
    Process process =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(shown.toFile())
            .start();
    try {
      int code = process.waitFor();
      return Files.readString(shown, StandardCharsets.UTF_8) + "exit code " + code;
    } finally {
      Process unused = process.destroyForcibly();
    }
  }
}
