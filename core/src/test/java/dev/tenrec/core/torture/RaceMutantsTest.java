// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.torture.RaceMutants.Mutant;
import dev.tenrec.metrics.PatientWaits;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mutants that no test of one thread can notice, each against the race's own test: the class is
 * compiled with the change, in a directory before all others, and a JVM of its own runs the test,
 * which has to fail. PIT cannot do that: it has one JVM, and takes a test that fails now and then
 * for one that passes.
 */
@Tag("long")
class RaceMutantsTest {

  /** Those whose name has this in it; all, without. */
  private static final String CHOSEN = System.getProperty("tenrec.raceMutants", "");

  private static final String OF_PATIENCE = "tenrec.patience";
  private static final @Nullable String PATIENCE = System.getProperty(OF_PATIENCE);

  @TempDir Path directory;

  static Stream<Mutant> mutants() {
    return RaceMutants.all().filter(mutant -> mutant.toString().contains(CHOSEN));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void mutant_ofARace_isNoticed(Mutant mutant) throws Exception {
    Path classes = compile(mutant);
    Path log = directory.resolve("log.txt");

    int exit = run(classes, mutant.noticedBy(), log);

    String said = Files.readString(log);
    assertThat(exit).as("exit of %s:%n%s", mutant.noticedBy(), said).isNotZero();
    assertThat(said).containsPattern("\\[FAILED\\]|[1-9]\\d* of \\d+ tests failed");
  }

  /** The same way of running them, without a mutant: or a test that cannot run would be noticed. */
  @ParameterizedTest
  @MethodSource("tests")
  void test_ofARace_passesWithoutAMutant(String test) throws Exception {
    Path log = directory.resolve("log.txt");

    assertThat(run(directory, test, log)).as("%s", Files.readString(log)).isZero();
  }

  static Stream<String> tests() {
    return mutants().map(Mutant::noticedBy).distinct();
  }

  private Path compile(Mutant mutant) throws IOException {
    Path path = mutant.path();
    String text = Files.readString(mutant.file());
    assertThat(text.split(Pattern.quote(mutant.text()), -1))
        .as("places of the text in %s", path)
        .hasSize(2);
    Path source = directory.resolve("source").resolve(path);
    Files.createDirectories(source.getParent());
    Files.writeString(source, text.replace(mutant.text(), mutant.instead()));
    Path classes = Files.createDirectories(directory.resolve("classes"));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "-cp",
                classPath(),
                "-d",
                classes.toString(),
                source.toString());
    assertThat(failed).as("compiled: %s", mutant).isZero();
    return classes;
  }

  private int run(Path classes, String test, Path log) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> option.startsWith("--") || option.startsWith("-XX"))
            .toList());
    if (PATIENCE != null) { // how long a test waits in vain for what a mutant does not do
      command.add("-D" + OF_PATIENCE + "=" + PATIENCE);
    }
    command.add("-cp");
    command.add(classes + File.pathSeparator + classPath());
    if (Mutant.isOfStress(test)) {
      command.add("org.openjdk.jcstress.Main");
      command.addAll(List.of("-r", directory.toString(), "-t", test));
      command.addAll(JcstressTest.options(5, 300));
    } else {
      command.addAll(List.of(OneTestClass.class.getName(), test));
    }
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile()) // where jcstress leaves its results
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(PatientWaits.ofAProcess().toSeconds(), TimeUnit.SECONDS))
          .as("ended, see %s", log)
          .isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    return process.exitValue();
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }
}
