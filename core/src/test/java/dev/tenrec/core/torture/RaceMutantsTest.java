// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
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

  private static final String BREAKER = "breaker/CircuitBreaker";
  private static final String PERMITS = "isolation/Permits";
  private static final String RATES = "rate/RateWord";

  private static final String OF_BREAKER =
      "dev.tenrec.core.internal.breaker.CircuitBreakerLincheckTest";
  private static final String OF_TRIALS = "CircuitBreakerStress";
  private static final String OF_PERMITS = "PermitsStress";

  @TempDir Path directory;

  /**
   * A change.
   *
   * @param source the class, below {@code dev.tenrec.core.internal}
   * @param text what stands there, once
   * @param instead what the mutant has
   * @param noticedBy a JUnit class, or what the names of stress tests contain
   */
  record Mutant(String says, String source, String text, String instead, String noticedBy) {

    @Override
    public String toString() {
      return source + ": " + says;
    }
  }

  static Stream<Mutant> mutants() {
    return Stream.of(
        new Mutant(
            "a transition that was lost is taken for made",
            BREAKER,
            "    if (!replace(seen, next)) {\n      return false;\n    }",
            "    boolean unused = replace(seen, next);",
            OF_BREAKER),
        new Mutant(
            "a state is written without a look at the one it replaces",
            BREAKER,
            "return STATE.compareAndSet(this, seen, next);",
            "STATE.setVolatile(this, next);\n    return true;",
            OF_BREAKER),
        new Mutant(
            "a trial is let in although another was faster",
            BREAKER,
            "if (replace(halfOpen, halfOpen.with(trial, now, limits))) {",
            "if (replace(halfOpen, halfOpen.with(trial, now, limits)) || true) {",
            OF_BREAKER),
        new Mutant(
            "a trial's success is dropped if another was faster",
            BREAKER,
            ": replace(seen, next)) {",
            ": replace(seen, next) || true) {",
            OF_TRIALS),
        new Mutant(
            "a trial's failure is dropped if another was faster",
            BREAKER,
            "if (open(seen, now, TransitionReason.TRIAL_FAILED, seen.period.health, rules)) {",
            "if (open(seen, now, TransitionReason.TRIAL_FAILED, seen.period.health, rules) || true) {",
            OF_TRIALS),
        new Mutant(
            "a trial's place is not given back if another was faster",
            BREAKER,
            "if (replace(seen, seen.without(trial))) {",
            "if (replace(seen, seen.without(trial)) || true) {",
            OF_TRIALS),
        new Mutant(
            "a giver does not look for a debt once more",
            PERMITS,
            "    if (debt(bounds) != 0) {\n      settle();\n    }",
            "",
            OF_PERMITS),
        new Mutant(
            "a taker is refused although a permit came back meanwhile",
            PERMITS,
            "if (seenPuts == totalPuts() && bounds == before && resizes == seenResizes) {\n        return refused",
            "if (bounds == before && resizes == seenResizes) {\n        return refused",
            OF_PERMITS),
        new Mutant(
            "a settler does not look for a permit once more",
            PERMITS,
            "        if (totalFree() == 0) {\n          return;\n        }",
            "        return;",
            OF_PERMITS),
        new Mutant(
            "the maximum is written without a look at another taker's",
            PERMITS,
            "if (MAXIMUM.compareAndSet(this, seen, use)) {\n        return;\n      }",
            "MAXIMUM.setVolatile(this, use);\n      return;",
            OF_PERMITS),
        new Mutant(
            "two threads that collide have cells of their own each",
            PERMITS,
            "PermitCell[] before = (PermitCell[]) CELLS.compareAndExchange(this, null, grown);\n    return before == null ? grown : before;",
            "CELLS.setVolatile(this, grown);\n    return grown;",
            OF_PERMITS),
        new Mutant(
            "two callers that miss together both begin a run",
            "sharing/RunSharing",
            "if (begun.join(first) && put(cache, key, first)) {",
            "if (begun.join(first) && (put(cache, key, first) || true)) {",
            "RunSharingStress"),
        new Mutant(
            "a sharer joins without the lock",
            "cache/SharedRun",
            "public final synchronized boolean join(",
            "public final boolean join(",
            "SharedRunStress"),
        new Mutant(
            "a sharer leaves without the lock",
            "cache/SharedRun",
            "public final synchronized boolean leave(",
            "public final boolean leave(",
            "SharedRunStress"),
        new Mutant(
            "a retry's token is spent although it was given back",
            "retry/RetryToken",
            "return STATE.compareAndSet(this, DRAWN, SPENT);",
            "boolean drawn = state == DRAWN;\n    STATE.setVolatile(this, SPENT);\n    return drawn;",
            "RetryTokenStress"),
        new Mutant(
            "a permit of a rate is taken by two",
            RATES,
            "if (ARRIVAL.compareAndSet(this, seen, (ahead > 0 ? seen : nowNanos) + rate.intervalNanos)) {\n        return TAKEN;",
            "ARRIVAL.setVolatile(this, (ahead > 0 ? seen : nowNanos) + rate.intervalNanos);\n      if (seen == seen) {\n        return TAKEN;",
            "RateWordStress"),
        new Mutant(
            "a rate's word is frozen over a permit that is taken meanwhile",
            RATES,
            "          || ARRIVAL.compareAndSet(\n              this, seen, (ahead > 0 ? seen : nowNanos) + FROZEN_AHEAD_NANOS)) {",
            "          || (long) ARRIVAL.getAndSet(this, (ahead > 0 ? seen : nowNanos) + FROZEN_AHEAD_NANOS) != Long.MIN_VALUE) {",
            "RateWordStress"),
        new Mutant(
            "two threads end a call",
            "call/ExecutionState",
            "if (STATE.compareAndSet(this, seen, seen | CLAIMED | (busy ? ABANDONED_RUNNING : 0))) {",
            "STATE.setVolatile(this, seen | CLAIMED | (busy ? ABANDONED_RUNNING : 0));\n      if (seen == seen) {",
            "ExecutionStateStress"),
        new Mutant(
            "what a canceller adds is lost to one that comes with it, or after the end",
            "call/Cancellers",
            "if (top.compareAndSet(seen, new Node(canceller, seen))) {",
            "top.set(new Node(canceller, seen));\n      if (seen != OVER) {",
            "CancellersStress"));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void mutant_ofARace_isNoticed(Mutant mutant) throws Exception {
    Path classes = compile(mutant);
    Path log = directory.resolve("log.txt");

    int exit = run(classes, mutant.noticedBy(), log);

    String said = Files.readString(log);
    assertThat(exit).as("exit of %s:%n%s", mutant.noticedBy(), said).isNotZero();
    assertThat(said).containsPattern("\\[FAILED\\]|\\d+ of \\d+ tests failed");
  }

  /** The same way of running them, without a mutant: or a test that cannot run would be noticed. */
  @ParameterizedTest
  @MethodSource("tests")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void test_ofARace_passesWithoutAMutant(String test) throws Exception {
    Path log = directory.resolve("log.txt");

    assertThat(run(directory, test, log)).as("%s", Files.readString(log)).isZero();
  }

  static Stream<String> tests() {
    return mutants().map(Mutant::noticedBy).distinct();
  }

  private Path compile(Mutant mutant) throws IOException {
    String path = "dev/tenrec/core/internal/" + mutant.source() + ".java";
    String text = Files.readString(Path.of("src/main/java").resolve(path));
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
    command.add("-cp");
    command.add(classes + File.pathSeparator + classPath());
    if (test.endsWith("Stress")) {
      command.add("org.openjdk.jcstress.Main");
      command.addAll(List.of("-r", directory.toString(), "-t", test));
      command.addAll(JcstressTest.options(5, 300));
    } else {
      command.addAll(List.of(OneTestClass.class.getName(), test));
    }
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(15, TimeUnit.MINUTES)).as("ended, see %s", log).isTrue();
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
