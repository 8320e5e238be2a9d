// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenrec.metrics.PatientWaits;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A short run of every {@code *Stress} class of this module, in the build on a JDK newer than 17;
 * the profile {@code jcstress} runs them for long. It needs as many cores as a test has actors.
 */
@Tag("race")
@Tag("jcstress")
class JcstressTest {

  private static final Path LIST = Path.of("target", "test-classes", "META-INF", "TestList");
  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** Skipped, with their names, if jcstress leaves some out here. */
  @Test
  void everyStressTest_byItsActors_isOneThatJcstressRunsHere() throws Exception {
    Set<String> leftOut = JcstressList.leftOut(LIST, PROCESSORS);

    assumeTrue(
        leftOut.isEmpty(),
        () -> "not run, for they have more actors than " + PROCESSORS + " processors: " + leftOut);
  }

  /**
   * Beside eight busy processes on two processors it takes four minutes, for each of the tests has
   * a JVM of its own.
   */
  @Test
  void everyStressTest_inAShortRun_showsNothingForbidden() throws Exception {
    Path results = Files.createDirectories(Path.of("target", "jcstress-short"));
    Path log = results.resolve("log.txt");
    Process process =
        new ProcessBuilder(command(results))
            .directory(results.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(PatientWaits.ofAProcess().toSeconds(), TimeUnit.SECONDS))
          .as("ended, see %s", log)
          .isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly); // the JVMs of its tests
      process.destroyForcibly();
    }

    JcstressLog said = JcstressLog.of(log);
    assertThat(process.exitValue())
        .as("exit of jcstress, all of it in %s:%n%s", log, String.join("\n", said.failures()))
        .isZero();
    assertThat(said.verdicts())
        .as("all of it in %s", log)
        .contains("Failed tests: No matches.", "Error tests: No matches.");
    Set<String> listed = JcstressList.runnable(LIST, PROCESSORS);
    assertThat(listed).isNotEmpty();
    assertThat(said.passed()).as("good results, see %s", log).containsExactlyElementsOf(listed);
  }

  private static List<String> command(Path results) {
    // surefire hides the real class path behind a manifest, which the JVMs that jcstress starts
    // would not see
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    String java =
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    List<String> command =
        new ArrayList<>(List.of(java, "-cp", classPath, "org.openjdk.jcstress.Main"));
    command.addAll(List.of("-r", results.toAbsolutePath().toString()));
    command.addAll(options(1, 100));
    return command;
  }

  /** Each test so often, and so long each time. */
  static List<String> options(int times, int millis) {
    return List.of(
        "-f",
        "1",
        "-iters",
        String.valueOf(times),
        "-time",
        String.valueOf(millis),
        "-jvmArgs",
        "-XX:+UseParallelGC",
        "-sc",
        "false",
        "-af",
        "NONE",
        "-v",
        "-pth",
        "false");
  }
}
