// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.micrometer;

import dev.tenrec.metrics.PatientWaits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs of this machine. None is installed by a test. */
final class Programs {

  private Programs() {}

  /** Where it is; skips the test, with these words, where it is not. */
  static String find(String name, String skipped) {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    String found =
        Stream.of(path.split(File.pathSeparator))
            .map(directory -> Path.of(directory, name))
            .filter(Files::isExecutable)
            .map(Path::toString)
            .findFirst()
            .orElse(null);
    Assumptions.assumeTrue(found != null, "SKIPPED: " + name + " is not installed, " + skipped);
    return Objects.requireNonNull(found);
  }

  /** How a program that ends by itself has ended. */
  record Ended(int exitCode, String output) {}

  static Ended run(Path directory, String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("program", ".log");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(PatientWaits.seconds(), TimeUnit.SECONDS)) {
        throw new AssertionError(
            Arrays.toString(command) + " does not end: " + Files.readString(output));
      }
      return new Ended(process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  /** One that runs until it is closed. */
  static final class Running implements AutoCloseable {

    private final Process process;
    private final Path log;

    private Running(Process process, Path log) {
      this.process = process;
      this.log = log;
    }

    static Running start(Path directory, String... command) throws IOException {
      Path log = Files.createTempFile(directory, "program", ".log");
      return new Running(
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start(),
          log);
    }

    boolean isAlive() {
      return process.isAlive();
    }

    String log() throws IOException {
      return Files.readString(log);
    }

    @Override
    public void close() throws InterruptedException {
      process.destroy();
      if (!process.waitFor(PatientWaits.seconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }
}
