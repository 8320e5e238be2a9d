// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.PatientWaits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of its own for what would take the test's along; ended in any case. */
public final class ChildJvm {

  /** What a child prints as its last line if all went well. */
  public static final String WELL = "CHILD: all went well";

  private final List<String> before;
  private final List<String> options;
  private final String classPath;

  private ChildJvm(List<String> before, List<String> options, String classPath) {
    this.before = before;
    this.options = options;
    this.classPath = classPath;
  }

  /** As this JVM, with these options. */
  public static ChildJvm with(String... options) {
    // surefire hides the real class path behind a manifest
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return new ChildJvm(List.of(), List.of(options), classPath);
  }

  /** Begun by another command, which is given the rest. */
  public ChildJvm by(List<String> command, String readableClassPath) {
    return new ChildJvm(List.copyOf(command), options, readableClassPath);
  }

  /**
   * Runs a class with a main method; fails, with all it said, if it does not end well in time.
   *
   * @param directory where it works, and its output goes
   * @param seconds how long it may work; and it may wait in vain, once, and say for what
   */
  public void run(Path directory, long seconds, Class<?> main, String... arguments)
      throws Exception {
    Path log = directory.resolve("output.txt");
    Process process = start(directory, log, main, arguments);
    long patience = seconds + PatientWaits.seconds();
    boolean ended;
    try {
      ended = process.waitFor(patience, TimeUnit.SECONDS);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      boolean unused = process.waitFor(PatientWaits.seconds(), TimeUnit.SECONDS);
    }
    String said = Files.readString(log);
    assertThat(ended).as("ended within %d s; it said:%n%s", patience, said).isTrue();
    assertThat(process.exitValue()).as("its exit value; it said:%n%s", said).isZero();
    assertThat(said).contains(WELL);
  }

  private Process start(Path directory, Path log, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(before);
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }
}
