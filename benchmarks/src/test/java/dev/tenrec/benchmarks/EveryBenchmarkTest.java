// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tenrec.benchmarks.state.VirtualThreadFactory;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Each runs once, in this JVM, with what it checks of itself; nothing is measured. */
class EveryBenchmarkTest {

  private static final String PACKAGE = "^dev\\.tenrec\\.benchmarks\\.";
  private static final String VIRTUAL = "VirtualThreadExecution";

  static {
    // a measurement elsewhere on the machine is no reason to fail: this is none
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void all_runOnce_findWhatTheyCheck() throws RunnerException {
    Collection<RunResult> results =
        run(
            once(PACKAGE)
                .exclude(VIRTUAL)
                .exclude("ManyCommands")
                .exclude("Published")
                .exclude("Collapsing")
                .exclude("StartUp"));

    assertThat(names(results))
        .contains(
            "SemaphoreExecution.bareCall",
            "SemaphoreExecution.floor",
            "SemaphoreExecution.floorNoPermit",
            "SemaphoreExecution.tenrec",
            "SemaphoreExecution.tenrecPolluted",
            "SemaphoreExecution.hystrix",
            "SemaphoreExecution.resilience4j",
            "SemaphoreExecution.failsafe",
            "SemaphoreExecution.sentinel",
            "ThreadPoolExecution.bareSubmitGetTimed",
            "ThreadPoolExecution.tenrecAsync",
            "OpenCircuit.tenrecThrown",
            "OpenCircuit.resilience4jStacklessThrown",
            "PermitRejected.tenrecAttempt",
            "FailingCall.tenrec",
            "RequestCacheHit.hystrix",
            "MetricsReadWhileWriting.tenrec",
            "AnnotatedCall.direct",
            "AnnotatedCall.tenrec",
            "AnnotatedCall.javanica",
            "AnnotatedCall.resilience4j",
            "SettingsRead.floor",
            "SteeredCall.alone",
            "SteeredCall.still",
            "SteeredCall.changing",
            "FurtherAttempts.here",
            "FurtherAttempts.retried",
            "FurtherAttempts.withDeadlines",
            "FurtherAttempts.pooled",
            "FurtherAttempts.hedged",
            "FurtherAttempts.hedgedAndRetried",
            "TimeoutArmDisarm.tenrec",
            "RollingCountsWrite.tenrec",
            "LatencyRecord.tenrec",
            "RateLimit.tenrec",
            "RateLimit.callLimited",
            "MovedSemaphore.moved",
            "MovedSemaphore.hystrix",
            "MovedPool.moved",
            "MovedPool.hystrix");
    assertThat(results).hasSizeGreaterThanOrEqualTo(80);
  }

  @Test
  void manyCommands_withAFew_findWhatTheyCheck() throws RunnerException {
    Collection<RunResult> results = run(once(PACKAGE + "ManyCommands").param("keys", "10"));

    assertThat(results).hasSize(4);
  }

  @Test
  void published_withAFew_findWhatTheyCheck() throws RunnerException {
    assertThat(run(once(PACKAGE + "Published").param("keys", "10"))).hasSize(4);
  }

  @Test
  void startUp_once_findsWhatItChecks() throws RunnerException {
    assertThat(run(once(PACKAGE + "StartUp"))).hasSize(3);
  }

  @Test
  void collapsing_inSmallBatches_findsWhatItChecks() throws RunnerException {
    Collection<RunResult> results = run(once(PACKAGE + "Collapsing").param("batchSize", "1", "10"));

    assertThat(results).hasSize(8);
  }

  @Test
  void virtualThreads_whereThereAreSome_findWhatTheyCheck() throws RunnerException {
    assumeThat(VirtualThreadFactory.isThere()).isTrue();

    assertThat(run(once(PACKAGE + VIRTUAL))).hasSize(3);
  }

  @Test
  void virtualThreads_whereThereAreNone_sayWhatTheyNeed() {
    assumeThat(VirtualThreadFactory.isThere()).isFalse();

    assertThatThrownBy(VirtualThreadFactory::require)
        .hasMessageContaining("needs JDK 21 or later")
        .hasMessageContaining("-e VirtualThreadExecution");
  }

  private static ChainedOptionsBuilder once(String include) {
    return new OptionsBuilder()
        .include(include)
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(20))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  private static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
    return new Runner(options.build()).run();
  }

  private static List<String> names(Collection<RunResult> results) {
    return results.stream()
        .map(result -> result.getParams().getBenchmark())
        .map(name -> name.substring("dev.tenrec.benchmarks.".length()))
        .toList();
  }
}
