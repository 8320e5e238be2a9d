// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Stop;
import dev.tenrec.field.load.Progress;
import dev.tenrec.field.load.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The shapes of system 1, by ratios; each is the median of three measurements. */
@Tag("field")
class TunedEndpointShapeTest {

  private static final int TIMES = 3;
  private static final int USERS = 20;
  private static final Form FORM =
      new Form(
          List.of(20, 30, 40),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(4),
          6_000,
          Duration.ofMillis(1_200),
          true);

  private static final List<Measured> MEASURED = new ArrayList<>();

  @BeforeAll
  static void measure() throws Exception {
    for (int time = 0; time < TIMES; time++) {
      Measured measured = new Measured();
      try (Measuring measuring =
          new Measuring(FORM, 0, Stop.onDemand(), Progress.none(), measured, run -> {})) {
        measuring.run();
        assertThat(measured.differences()).isEmpty();
        assertThat(measured.all()).hasSize(Measured.PLANNED);
        assertThat(measured.all()).noneMatch(run -> run.result().presence().isOff());
        MEASURED.add(measured);
      }
    }
  }

  @Test
  void unguarded_beyondTheKnee_waitsAndGetsNoMore() {
    assertThat(median(measured -> rate(measured, Configuration.UNGUARDED, 30) / rate(measured)))
        .isBetween(0.9, 1.15);
    assertThat(median(measured -> mean(measured, Configuration.UNGUARDED, 30) / mean(measured)))
        .as("the original: 1.48")
        .isBetween(1.3, 1.7);
    assertThat(median(measured -> mean(measured, Configuration.UNGUARDED, 40) / mean(measured)))
        .as("the original: 2.01")
        .isBetween(1.7, 2.4);
  }

  @Test
  void openRuns_areAsLateAsTheService_notAsTheInjector() {
    for (Configuration configuration : List.of(Configuration.UNGUARDED, Configuration.SIZED)) {
      assertThat(
              median(
                  measured -> {
                    Result result = measured.open(configuration).orElseThrow().result();
                    return result.lag().p99ShareOf(result.waited());
                  }))
          .as("%s: the injector's lag ÷ what callers waited, p99 of each", configuration)
          .isLessThan(0.25);
    }
  }

  @Test
  void firstGuess_hasTooFewThreads() {
    assertThat(median(measured -> rate(measured, Configuration.A, USERS) / rate(measured)))
        .as("the original: 0.92")
        .isBetween(0.5, 0.97);
    assertThat(
            median(
                measured ->
                    run(measured, Configuration.A, USERS).busyShare()
                        / run(measured, Configuration.UNGUARDED, USERS).busyShare()))
        .as("the dependency has time to spare, and nobody asks it")
        .isLessThan(0.97);
  }

  @Test
  void byTheRules_costsNothing() {
    assertThat(median(measured -> rate(measured, Configuration.B, USERS) / rate(measured)))
        .as("the original: 1.03")
        .isBetween(0.85, 1.15);
    assertThat(
            median(
                measured ->
                    rate(measured, Configuration.B, USERS)
                        / rate(measured, Configuration.A, USERS)))
        .as("the original: 1.12")
        .isGreaterThan(1.03);
    assertThat(median(measured -> run(measured, Configuration.B, USERS).errorPercent()))
        .as("the original: 0.70")
        .isLessThan(3);
  }

  @Test
  void longerQueue_isNeverUsed() {
    for (Configuration configuration : List.of(Configuration.B, Configuration.C, Configuration.D)) {
      assertThat(
              median(
                  measured -> run(measured, configuration, USERS).counted("THREAD_POOL_REJECTED")))
          .as("%s", configuration)
          .isZero();
    }
  }

  /**
   * The threads are compared, not the dependency's answers: where 20 users saturate it, a time-out
   * at p99.5 has the circuit open now and then, by chance, after a live change as after a restart.
   */
  @Test
  void liveChange_hasAsManyThreadsAtWorkAsWereAskedFor_withoutARestart() {
    assertThat(median(measured -> phase(measured, 1).knownMillis())).isLessThan(100);
    assertThat(median(measured -> phase(measured, 3).knownMillis())).isLessThan(2_500);
    for (int changed : new int[] {1, 3}) {
      assertThat(
              median(
                  measured ->
                      phase(measured, changed).feltMillis()
                          - phase(measured, changed).knownMillis()))
          .as("felt after it was known, phase %d", changed)
          .isLessThan(500);
      assertThat(
              median(
                  measured ->
                      (double) phase(measured, changed).mostActive()
                          / phase(measured, changed).coreSize()))
          .as("at work, of those asked for, phase %d", changed)
          .isBetween(0.7, 1.3); // 20 users, and threads whose callers have been answered
      assertThat(
              median(
                  measured ->
                      (double) phase(measured, changed).mostActive()
                          / phase(measured, 0).mostActive()))
          .as("beside A, phase %d", changed)
          .isGreaterThan(4);
    }
    assertThat(
            median(
                measured -> (double) phase(measured, 2).coreSize() / phase(measured, 0).coreSize()))
        .as("undone")
        .isEqualTo(1);
  }

  private static LivePhase phase(Measured measured, int number) {
    return measured.live().orElseThrow().phases().get(number);
  }

  private static Run run(Measured measured, Configuration configuration, int users) {
    return measured.closed(configuration, users).orElseThrow();
  }

  /**
   * Answers of the dependency: a fallback is quicker, and would flatter a configuration with many.
   */
  private static double rate(Measured measured, Configuration configuration, int users) {
    return run(measured, configuration, users).fullPerSecond();
  }

  private static double rate(Measured measured) {
    return rate(measured, Configuration.UNGUARDED, USERS);
  }

  private static double mean(Measured measured, Configuration configuration, int users) {
    return run(measured, configuration, users).result().sinceIntended().meanMillis();
  }

  private static double mean(Measured measured) {
    return mean(measured, Configuration.UNGUARDED, USERS);
  }

  private static double median(ToDoubleFunction<Measured> figure) {
    return MEASURED.stream().mapToDouble(figure).sorted().skip(TIMES / 2).findFirst().orElseThrow();
  }
}
