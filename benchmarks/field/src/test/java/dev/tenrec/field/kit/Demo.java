// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The demo of a program, run in a JVM of its own, on a machine that does nothing else. */
public final class Demo {

  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** Until the first line: of the JVM, and of the end, when files are written. */
  private static final int SECONDS_WITHOUT_PROGRESS = 5;

  private Demo() {}

  /**
   * Runs it, and fails unless it takes a minute at most, shows where it is each second, ends with
   * lines that say what was measured, accounts for every call, and draws what it measured.
   *
   * @param directory for its results, empty
   * @param lines how many it ends with
   * @return these lines
   */
  public static List<String> of(Class<?> main, List<String> arguments, Path directory, int lines)
      throws Exception {
    Path out = directory.resolve("out");
    Path progress = directory.resolve("progress");
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--demo", "--directory", directory.toString()));
    RunClock clock = new RunClock();
    Process program =
        ChildJvm.command(512, List.of(), main, all)
            .redirectOutput(out.toFile())
            .redirectError(progress.toFile())
            .start();
    try {
      assertThat(program.waitFor(5, TimeUnit.MINUTES)).as("ends by itself").isTrue();
      Duration took = Duration.ofNanos(clock.nanos());
      List<String> shown = Files.readAllLines(out);

      assertThat(program.exitValue()).as("%s", shown).isZero();
      assertThat(took).isLessThanOrEqualTo(LONGEST);
      assertThat(Files.readAllLines(progress).stream().filter(line -> line.matches(" *\\d+ s  .+")))
          .hasSizeGreaterThanOrEqualTo((int) (0.9 * took.toSeconds()) - SECONDS_WITHOUT_PROGRESS);
      drawsWhatItMeasured(directory);
      return inShort(shown, lines);
    } finally {
      program.destroyForcibly();
    }
  }

  private static List<String> inShort(List<String> shown, int lines) {
    assertThat(shown).contains("In short:");
    List<String> inShort =
        shown.subList(shown.indexOf("In short:") + 1, shown.size()).stream()
            .takeWhile(line -> line.startsWith("  "))
            .map(String::strip)
            .toList();
    assertThat(inShort).hasSize(lines).noneMatch(line -> line.contains("not measured"));
    return inShort;
  }

  private static void drawsWhatItMeasured(Path directory) throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.toList();
    }
    assertThat(files).filteredOn(file -> file.toString().endsWith(".svg")).isNotEmpty();
    for (Path file : files) {
      if (file.toString().endsWith(".svg")) {
        assertThat(file).content().contains("polyline");
      } else if (file.toString().endsWith(".json")) {
        assertThat(JsonText.read(file))
            .containsEntry("complete", true)
            .containsEntry("accountingHolds", true);
      }
    }
  }
}
