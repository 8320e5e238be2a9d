// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.field.load.comparison.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that gets a signal, and what it has started. */
class SignalTest {

  private static final Duration STARTED = Duration.ofSeconds(120);

  /** On a crowded machine; what is promised is looked at by the test that has it to itself. */
  private static final Duration GONE = Duration.ofSeconds(120);

  private static final Duration PROMISED = Duration.ofSeconds(5);
  private static final int IGNORED_INT = 1 << 1;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void signal_toTheProgram_leavesNoChild(String signal) throws Exception {
    leavesNoChild(Comparison.class, 2, signal, GONE);
  }

  /** Maven passes no signal on, and none can be passed on by what is killed. */
  @Test
  void signal_toWhatStartedTheProgram_leavesNoChild() throws Exception {
    leavesNoChild(Starter.class, 3, "KILL", GONE);
  }

  @Test
  void poms_haveEachProgramEndWithMaven() throws IOException {
    for (Path pom : List.of(Path.of("pom.xml"), Path.of("boot", "pom.xml"))) {
      assertThat(Files.readAllLines(pom))
          .filteredOn(line -> line.contains("<commandlineArgs>"))
          .isNotEmpty()
          .allMatch(line -> line.contains("-D" + Parent.END_WITH_IT + "=true -cp %classpath"));
    }
  }

  @Test
  @Tag("field")
  void signal_onAnIdleMachine_leavesNoChildWithinFiveSeconds() throws Exception {
    leavesNoChild(Comparison.class, 2, "TERM", PROMISED);
    leavesNoChild(Comparison.class, 2, "INT", PROMISED);
    leavesNoChild(Starter.class, 3, "TERM", PROMISED);
  }

  private void leavesNoChild(Class<?> main, int below, String signal, Duration within)
      throws Exception {
    assumeTrue(Files.isReadable(Path.of("/proc/self/status")), "needs Linux");
    assumeTrue(!signal.equals("INT") || !ignoresInterrupts(), "SIGINT is ignored here, and below");
    // the pool against the slow service: calls of half a minute are under way when the signal comes
    Process program =
        ChildJvm.command(
                64,
                List.of(),
                main,
                List.of("--engine", "pool", "--directory", directory.toString()))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("out-" + signal).toFile())
            .start();
    List<ProcessHandle> children = List.of();
    try {
      // the service, and a cell; and the program itself, if it was started by another
      await(below + " below").atMost(STARTED).until(() -> program.descendants().count() >= below);
      children = program.descendants().toList();

      assertThat(new ProcessBuilder("kill", "-" + signal, "" + program.pid()).start().waitFor())
          .isZero();

      List<ProcessHandle> all =
          Stream.concat(children.stream(), Stream.of(program.toHandle())).toList();
      await("all gone").atMost(within).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    } finally {
      children.forEach(ProcessHandle::destroyForcibly);
      program.destroyForcibly();
    }
  }

  /** Runs the program as Maven does, and waits for it. */
  static final class Starter {

    public static void main(String[] arguments) throws Exception {
      List<String> options = List.of("-D" + Parent.END_WITH_IT + "=true");
      int code =
          ChildJvm.command(64, options, Comparison.class, List.of(arguments))
              .inheritIO()
              .start()
              .waitFor();
      System.exit(code);
    }
  }

  /** As a program begun in the background of a shell without jobs does, and its children. */
  private static boolean ignoresInterrupts() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("SigIgn:"))
          .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
          .anyMatch(mask -> (mask & IGNORED_INT) != 0);
    }
  }
}
