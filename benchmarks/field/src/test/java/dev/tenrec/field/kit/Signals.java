// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.metrics.PatientWaits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Signals to a program that has started others. */
public final class Signals {

  /** On a machine that does nothing else, nothing is left of a program after that time. */
  public static final Duration PROMISED = Duration.ofSeconds(5);

  private static final int IGNORED_INT = 1 << 1;

  private Signals() {}

  /**
   * The same with a program of this class path.
   *
   * @param directory for its results
   */
  public static void leavesNoChild(
      Class<?> main,
      List<String> arguments,
      Path directory,
      int below,
      String signal,
      Duration within)
      throws Exception {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--directory", directory.toString()));
    leavesNoChild(
        ChildJvm.command(64, List.of(), main, all),
        directory.resolve("out-" + signal),
        below,
        signal,
        within);
  }

  /**
   * Starts it, sends it a signal, and fails if it or one of its processes is there after that time.
   *
   * @param out a file for what it prints
   * @param below how many processes it has when it is under way
   */
  public static void leavesNoChild(
      ProcessBuilder builder, Path out, int below, String signal, Duration within)
      throws Exception {
    assumeTrue(Files.isReadable(Path.of("/proc/self/status")), "needs Linux");
    assumeTrue(!signal.equals("INT") || !ignoresInterrupts(), "SIGINT is ignored here, and below");
    Process program = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    List<ProcessHandle> children = List.of();
    try {
      await(below + " below")
          .atMost(PatientWaits.patience())
          .until(() -> program.descendants().count() >= below || !program.isAlive());
      assertThat(program.isAlive()).as("%s", Files.readString(out)).isTrue();
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
