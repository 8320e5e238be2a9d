// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files are taken for which job. There is no jar: whatever is measured fails. */
class MeasuringTest {

  private static final Job SCALING = Job.some("SemaphoreExecution", 1, "floor", "tenrec");

  @TempDir private Path directory;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @Test
  void run_keepingTheFullSetsFiles_takesThemForScaling() throws Exception {
    rounds("SemaphoreExecution-t1", 3, Canned.FLOOR, Canned.TENREC, Canned.RESILIENCE);
    rounds("ManyCommands-t1", 3, Canned.entry("ManyCommands.tenrec", 1, "", "[[1]]", "0"));

    List<Kept> files =
        measuring("scaling", "--full", "--keep").run(List.of(SCALING, Job.all("ManyCommands", 1)));

    assertThat(files).hasSize(6);
    assertThat(Results.read(files, distance -> true).all())
        .extracting(Measurement::label)
        .containsExactly(
            "SemaphoreExecution.floor@1", "SemaphoreExecution.tenrec@1", "ManyCommands.tenrec@1");
    assertThat(
            Results.read(files, distance -> true)
                .find("SemaphoreExecution.floor@1")
                .orElseThrow()
                .forkNanos())
        .hasSize(6); // each canned file has two forks
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void run_keepingRoundsOfBoth_takesEachRoundOnce() throws Exception {
    rounds("SemaphoreExecution-t1", 3, Canned.FLOOR, Canned.TENREC);
    rounds(SCALING.name(), 1, Canned.FLOOR, Canned.TENREC);

    assertThat(measuring("scaling", "--full", "--keep").run(List.of(SCALING)))
        .extracting(kept -> kept.file().getFileName().toString())
        .containsExactly(
            "SemaphoreExecution-t1-floor+tenrec.round1.json",
            "SemaphoreExecution-t1.round2.json",
            "SemaphoreExecution-t1.round3.json");
  }

  @Test
  void run_keepingFilesOfAnotherQueue_measures() throws IOException {
    rounds("ThreadPoolExecution-t1", 5, Canned.TENREC);
    Job scaling = Job.some("ThreadPoolExecution", 1, "tenrec").with("queue", "1000");

    assertThatThrownBy(() -> measuring("scaling", "--full", "--keep").run(List.of(scaling)))
        .hasMessageContaining("ThreadPoolExecution-t1-queue=1000-tenrec failed with exit code 1");
  }

  @Test
  void run_keepingFilesOfSomeMethods_measuresTheWhole() throws IOException {
    rounds(SCALING.name(), 3, Canned.FLOOR, Canned.TENREC);

    assertThatThrownBy(
            () -> measuring("full", "--keep").run(List.of(Job.all("SemaphoreExecution", 1))))
        .hasMessageContaining("SemaphoreExecution-t1 failed with exit code 1");
  }

  @Test
  void run_keepingNothing_measuresAnewAndLeavesOthersFiles() throws IOException {
    rounds("SemaphoreExecution-t1", 3, Canned.FLOOR, Canned.TENREC);
    rounds(SCALING.name(), 3, Canned.FLOOR, Canned.TENREC);

    assertThatThrownBy(() -> measuring("scaling", "--full").run(List.of(SCALING)))
        .hasMessageContaining("SemaphoreExecution-t1-floor+tenrec failed with exit code 1");
    assertThat(directory.resolve("SemaphoreExecution-t1.round3.json")).exists();
    assertThat(directory.resolve(SCALING.name() + ".round3.json")).doesNotExist();
  }

  @Test
  void run_reportOnly_measuresNothing() throws Exception {
    assertThat(measuring("scaling", "--full", "--report").run(List.of(SCALING))).isEmpty();
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private void rounds(String name, int rounds, String... entries) throws IOException {
    for (int round = 1; round <= rounds; round++) {
      Files.writeString(directory.resolve(name + ".round" + round + ".json"), Canned.list(entries));
    }
  }

  private Measuring measuring(String... words) {
    Arguments arguments = Arguments.of(List.of(words), directory.resolve("home"));
    return new Measuring(
        arguments, directory, new PrintStream(printed, true, StandardCharsets.UTF_8));
  }
}
