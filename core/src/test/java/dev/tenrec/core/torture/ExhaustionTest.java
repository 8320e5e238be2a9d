// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.netflix.archaius.api.Config;
import dev.tenrec.core.Tenrec;
import dev.tenrec.core.kit.Account;
import dev.tenrec.core.kit.ChildJvm;
import dev.tenrec.metrics.PatientWaits;
import dev.tenrec.metrics.time.Ticker;
import io.reactivex.rxjava3.core.Flowable;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;

/**
 * A JVM that has no memory or no threads left for a while: once it has, every call has ended, new
 * ones work, and the counts are exact. Played by {@link ExhaustedChild} in a JVM of its own.
 */
class ExhaustionTest {

  /**
   * Of nobody's, nor of another run's on this machine, as far as chance goes: its processes are the
   * child's alone.
   */
  private static final String USER = "" + ThreadLocalRandom.current().nextInt(20_000, 60_000);

  private static final int THREADS = 60;

  // few threads of the JVM's own, and no word of each thread that could not be started
  private static final String SERIAL = "-XX:+UseSerialGC";
  private static final String C1 = "-XX:TieredStopAtLevel=1";
  private static final String QUIET = "-Xlog:disable";
  private static final String SILENT = "-Dorg.slf4j.simpleLogger.defaultLogLevel=off";

  @TempDir Path directory;

  @Test
  @Tag("race")
  void calls_whenMemoryRunsOutInWaves_allEnd() throws Exception {
    heap(3, 240);
  }

  @Test
  @Tag("long")
  void calls_whenMemoryRunsOutInManyWaves_allEnd() throws Exception {
    heap(60, 600);
  }

  /** In a JVM whose threads keep no memory apart, so that there is none for any of them. */
  @Test
  @Tag("race")
  void firstEnding_ofItsKind_withoutMemory_isSeen_andSoAreLaterOnes() throws Exception {
    ChildJvm.with("-Xmx64m", "-XX:-UseTLAB", SERIAL, C1, QUIET, SILENT)
        .run(directory, 240, FirstEndingChild.class);
  }

  /** In such a JVM, too. */
  @Test
  @Tag("race")
  void signalsAndDeadlines_withoutMemory_endWhatTheyAreFor() throws Exception {
    ChildJvm.with("-Xmx64m", "-XX:-UseTLAB", SERIAL, C1, QUIET, SILENT)
        .run(directory, 240, WithoutMemoryChild.class);
  }

  @Test
  @Tag("race")
  void calls_whenThreadsRunOutInWaves_allEnd() throws Exception {
    threads(3, 240);
  }

  @Test
  @Tag("long")
  void calls_whenThreadsRunOutInManyWaves_allEnd() throws Exception {
    threads(60, 600);
  }

  private void heap(int waves, long seconds) throws Exception {
    ChildJvm.with("-Xmx64m", SERIAL, C1, QUIET, SILENT)
        .run(directory, seconds, ExhaustedChild.class, "heap", "" + waves);
  }

  private void threads(int waves, long seconds) throws Exception {
    assumeTrue(
        "root".equals(System.getProperty("user.name")),
        "only root can start a JVM as another user, and the limit is a user's");
    assumeTrue(isThere("setpriv") && isThere("prlimit"), "needs setpriv and prlimit");
    Path work = shared();
    List<String> asAnother =
        List.of(
            "setpriv",
            "--reuid=" + USER,
            "--regid=" + USER,
            "--clear-groups",
            "prlimit",
            "--nproc=" + THREADS + ":" + THREADS);
    String classPath = copyClassPath(work);
    assumeTrue(
        canRun(asAnother),
        "setpriv to user " + USER + " with prlimit --nproc=" + THREADS + " is not allowed here");
    try {
      ChildJvm.with("-Xmx128m", "-Xss256k", SERIAL, C1, QUIET, SILENT)
          .by(asAnother, classPath)
          .run(work, seconds, ExhaustedChild.class, "threads", "" + waves);
    } finally {
      delete(work);
    }
  }

  /** A directory that every user may read: JUnit's are its own user's alone. */
  private static Path shared() throws IOException {
    Path made = Files.createTempDirectory("tenrec-exhaustion");
    return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static boolean isThere(String command) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, command)));
  }

  /** Whether the other user may run this JVM at all. */
  private static boolean canRun(List<String> asAnother) throws Exception {
    List<String> command = new ArrayList<>(asAnother);
    command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-version"));
    Process process =
        new ProcessBuilder(command)
            .directory(Path.of("/").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return process.waitFor(PatientWaits.seconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
    } finally {
      process.destroyForcibly();
    }
  }

  /** What the child needs, where another user may read it. */
  private static String copyClassPath(Path to) throws IOException, URISyntaxException {
    Set<Path> places = new LinkedHashSet<>();
    for (Class<?> one :
        List.of(
            ExhaustedChild.class,
            Account.class,
            Tenrec.class,
            Ticker.class,
            PatientWaits.class,
            BeforeAllCallback.class,
            Config.class,
            com.netflix.archaius.config.DefaultSettableConfig.class,
            Flowable.class,
            Publisher.class,
            Histogram.class,
            Logger.class,
            org.slf4j.simple.SimpleServiceProvider.class,
            org.assertj.core.api.Assertions.class,
            org.jspecify.annotations.Nullable.class)) {
      places.add(Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    List<String> copied = new ArrayList<>();
    for (Path place : places) {
      Path copy = to.resolve(copied.size() + "-" + place.getFileName());
      copy(place, copy);
      copied.add(copy.toString());
    }
    return String.join(":", copied);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path one : all.toList()) {
        Path copy = to.resolve(from.relativize(one).toString());
        Files.copy(one, one.equals(from) ? to : copy);
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      List<Path> deepestFirst = all.sorted(java.util.Comparator.reverseOrder()).toList();
      for (Path one : deepestFirst) {
        Files.delete(one);
      }
    }
    assertThat(directory).doesNotExist();
  }
}
