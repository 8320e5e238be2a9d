// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.attempts.Attempts;
import dev.tenrec.field.gateway.GatewayLoads;
import dev.tenrec.field.load.comparison.Comparison;
import dev.tenrec.field.provider.Sweep;
import dev.tenrec.field.thrift.Collapse;
import dev.tenrec.metrics.PatientWaits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program that gets a signal, and what it has started. That is gone in time: what is promised is
 * looked at by the tests that have the machine to themselves.
 */
class SignalTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void signal_toTheProgram_leavesNoChild(String signal) throws Exception {
    Signals.leavesNoChild(Comparison.class, SLOW, directory, 2, signal, PatientWaits.patience());
  }

  /** Maven passes no signal on, and none can be passed on by what is killed. */
  @Test
  void signal_toWhatStartedTheProgram_leavesNoChild() throws Exception {
    Signals.leavesNoChild(Starter.class, SLOW, directory, 3, "KILL", PatientWaits.patience());
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

  /** A load of the pool against the slow service: calls of half a minute are under way. */
  private static final List<String> SLOW = List.of("--engine", "pool");

  /** Each program that starts others, and how many there are when it is under way. */
  static Stream<Arguments> programs() {
    return Stream.of(
            Arguments.of(Collapse.class, List.of(), 2),
            Arguments.of(GatewayLoads.class, List.of(), 1),
            Arguments.of(Sweep.class, List.of(), 2),
            Arguments.of(Comparison.class, SLOW, 2),
            Arguments.of(Attempts.class, List.of("--tail"), 1),
            Arguments.of(Starter.class, SLOW, 3))
        .flatMap(
            program ->
                Stream.of("TERM", "INT")
                    .map(
                        signal ->
                            Arguments.of(
                                program.get()[0], program.get()[1], program.get()[2], signal)));
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Tag("field")
  void signal_onAnIdleMachine_leavesNoChildWithinFiveSeconds(
      Class<?> main, List<String> arguments, int below, String signal) throws Exception {
    Signals.leavesNoChild(main, arguments, directory, below, signal, Signals.PROMISED);
  }

  /** Maven itself, with a project that runs the program by the options of this module's. */
  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  @Tag("field")
  void signal_toMaven_leavesNoChildWithinFiveSeconds(String signal) throws Exception {
    Path pom = directory.resolve("pom.xml");
    Files.writeString(
        pom,
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>test</groupId>
          <artifactId>test</artifactId>
          <version>1</version>
          <packaging>pom</packaging>
          <build><plugins><plugin>
            <groupId>org.codehaus.mojo</groupId>
            <artifactId>exec-maven-plugin</artifactId>
            <version>%s</version>
            <configuration>
              <executable>${java.home}/bin/java</executable>
              <inheritIo>true</inheritIo>
              <commandlineArgs>-D%s=true -cp "%s" %s %s --directory "%s"</commandlineArgs>
            </configuration>
          </plugin></plugins></build>
        </project>
        """
            .formatted(
                pluginVersion(),
                Parent.END_WITH_IT,
                System.getProperty("java.class.path"),
                Comparison.class.getName(),
                String.join(" ", SLOW),
                directory));
    List<String> line = new ArrayList<>(List.of("mvn", "-q", "-f", pom.toString()));
    String repository = System.getProperty("localRepository"); // by Surefire
    if (repository != null) {
      line.add("-Dmaven.repo.local=" + repository);
    }
    line.add("exec:exec");
    ProcessBuilder maven = new ProcessBuilder(line);
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));

    Signals.leavesNoChild(maven, directory.resolve("out"), 3, signal, Signals.PROMISED);
  }

  /** As the parent's pom has it, so that it is there when this module was built. */
  private static String pluginVersion() throws IOException {
    Matcher version =
        Pattern.compile("<artifactId>exec-maven-plugin</artifactId>\\s*<version>(.+?)</version>")
            .matcher(Files.readString(Path.of("..", "..", "pom.xml")));
    assertThat(version.find()).isTrue();
    return version.group(1);
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
}
