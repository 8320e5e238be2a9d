// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A program that was run, in this JVM or in one of its own.
 *
 * @param code its exit code
 * @param shown what it printed
 * @param children its processes, where they were looked for
 */
public record ProgramRun(int code, String shown, List<ProcessHandle> children) {

  /** Its processes at this moment. */
  @FunctionalInterface
  public interface Look {

    /** Those to look at. */
    List<ProcessHandle> children(Process program) throws Exception;
  }

  /** The short form, in this JVM; fails if it does not account for all. */
  public static ProgramRun little(Program program, Path directory, String... more)
      throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    int code = Program.run(program, arguments(directory, more), Stop.onDemand(), out);
    ProgramRun run = new ProgramRun(code, bytes.toString(StandardCharsets.UTF_8), List.of());
    assertThat(code).as(run.shown()).isEqualTo(ReportWriter.HOLDS);
    return run;
  }

  /** The short form, in this JVM, watched. */
  public static void little(Program program, LineWatch watch, Path directory) throws Exception {
    int unused = Program.run(program, arguments(directory), Stop.onDemand(), watch.out());
  }

  private static List<String> arguments(Path directory, String... more) {
    List<String> arguments = new ArrayList<>(List.of("--short", "--directory"));
    arguments.add(directory.toString());
    arguments.addAll(List.of(more));
    return arguments;
  }

  /**
   * A program in a JVM of its own, which is ended as Ctrl-C does when it has printed a line.
   *
   * @param line which
   * @param look at its processes before that
   */
  public static ProgramRun interrupted(
      Class<?> main, List<String> arguments, Predicate<String> line, Look look) throws Exception {
    Process process = ChildJvm.start(128, main, arguments);
    List<String> lines = new ArrayList<>();
    List<ProcessHandle> children = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String one = out.readLine(); one != null; one = out.readLine()) {
        lines.add(one);
        if (line.test(one)) {
          children.addAll(look.children(process));
          // which a JVM takes as it takes Ctrl-C; process.destroy() would close its output
          assertThat(process.toHandle().destroy()).isTrue();
        }
      }
    } finally {
      process.destroy();
    }
    return new ProgramRun(process.waitFor(), String.join("\n", lines), List.copyOf(children));
  }

  /** The short form, interrupted when it has printed a line that begins so. */
  public static ProgramRun interrupted(Class<?> main, Path directory, String line, Look look)
      throws Exception {
    return interrupted(main, arguments(directory), one -> one.startsWith(line), look);
  }

  /** All processes below a program. */
  public static List<ProcessHandle> descendants(Process program) {
    return program.descendants().toList();
  }

  /** Fails unless the short form says that this child of it found its port in use. */
  public static void onABusyPort(Program program, Path directory, String child) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> arguments =
          arguments(directory, "--port", Integer.toString(taken.getLocalPort()));
      assertThatThrownBy(() -> Program.run(program, arguments, Stop.onDemand(), System.out))
          .isInstanceOf(IOException.class)
          .hasMessageMatching(
              "the " + child + " ended with exit code 2 before it was ready; it said: .*in use.*");
    }
  }

  /** What was printed, line by line. */
  public List<String> lines() {
    return shown.lines().toList();
  }
}
