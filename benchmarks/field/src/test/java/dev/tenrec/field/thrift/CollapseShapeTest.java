// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Stop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shapes of system 2, by ratios; each figure is the median of three runs. */
@Tag("field")
class CollapseShapeTest {

  private static final int RUNS = 3;

  /** Of what is measured, as the share of it that the injector may have added. */
  private static final double SMALL = 1 / 3.0;

  /** For guarded consumers: what is back within seconds need not be watched for as long. */
  private static final Form HALF_AS_LONG = Form.FULL.watched(Form.FULL.afterWindows() / 2);

  private final Trial trial = new Trial(Form.FULL, 0, Stop.onDemand());
  private final Trial shorter = new Trial(HALF_AS_LONG, 0, Stop.onDemand());

  @Test
  void oneConsumer_withMoreUsers_answersNoMore_andLater() throws Exception {
    List<List<SteadyRun>> runs = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      runs.add(trial.steady(1_000, List.of(50, 500), ended -> {}));
      runs.get(run)
          .forEach(one -> assertThat(RunReconciliation.differences(one)).as("%s", one).isEmpty());
      assertThat(runs.get(run)).noneMatch(one -> one.result().presence().isOff());
    }

    double few = median(runs, run -> run.get(0).result().perSecond());
    double many = median(runs, run -> run.get(1).result().perSecond());
    assertThat(many / few).isBetween(0.75, 1.33);
    // ten times as many users: by Little's law they wait ten times as long
    double fewP95 = median(runs, run -> p95(run.get(0)));
    double manyP95 = median(runs, run -> p95(run.get(1)));
    assertThat(manyP95 / fewP95).isBetween(5.0, 20.0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 100_000})
  void surge_unguarded_collapses_guarded_sheds(int payload) throws Exception {
    List<SurgeRun> unguarded = new ArrayList<>();
    List<SurgeRun> guarded = new ArrayList<>();
    List<SurgeRun> once = new ArrayList<>();
    List<SurgeRun> limited = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      double capacity = trial.steady(payload, List.of(10), ended -> {}).get(0).result().perSecond();
      for (Setup setup : Form.FULL.surges(payload)) {
        List<SurgeRun> runs =
            switch (setup.around()) {
              case NONE -> setup.attempts() == 1 ? once : unguarded;
              case FULL -> guarded;
              case NO_CIRCUIT -> limited;
              case ONCE, RETRIES, BUDGET, HEDGES -> throw new AssertionError(setup);
            };
        runs.add(surge(setup, capacity));
      }
    }

    onTime(unguarded);
    onTime(guarded);

    // the collapse: what is answered comes late, hardly anything is, and it stays so
    assertThat(
            median(unguarded, run -> waitedP99(run, Phase.SURGE))
                / median(unguarded, run -> waitedP99(run, Phase.CALM)))
        .isGreaterThan(10);
    assertThat(median(unguarded, run -> waitedP99(run, Phase.SURGE) / run.lastWaitMillis()))
        .isGreaterThan(0.8);
    double lost = median(unguarded, run -> run.total(Phase.AFTER).answeredShare());
    assertThat(lost).isLessThan(0.9);
    assertThat(median(unguarded, CollapseShapeTest::recovery)).isGreaterThanOrEqualTo(6);
    // and the provider works for those who have gone
    double wasted = median(unguarded, CollapseShapeTest::shareForNobody);
    assertThat(wasted).isGreaterThan(0.2);
    if (!once.isEmpty()) {
      onTime(once);
      // which would be over soon, were it not for the second attempts
      assertThat(median(once, run -> (double) run.count("c.attempts")))
          .isLessThan(median(unguarded, run -> (double) run.count("c.attempts")));
      assertThat(median(once, CollapseShapeTest::shareForNobody)).isLessThan(wasted);
      assertThat(median(once, CollapseShapeTest::recovery))
          .isLessThan(median(unguarded, CollapseShapeTest::recovery));
    }

    if (!limited.isEmpty()) {
      onTime(limited);
      // by the limit alone, too, the provider is never asked more than it can do in time
      assertThat(median(limited, run -> run.total(Phase.AFTER).answeredShare()))
          .isGreaterThan(0.95);
      assertThat(median(limited, CollapseShapeTest::recovery)).isLessThanOrEqualTo(4);
      assertThat(median(limited, run -> (double) run.count("command.SHORT_CIRCUITED"))).isZero();
    }

    // the command: bounded, shed instead of piled up, back by itself
    assertThat(median(guarded, run -> waitedP99(run, Phase.SURGE)) / Form.FULL.callMillis())
        .isLessThan(1.3);
    assertThat(
            median(unguarded, run -> run.total(Phase.SURGE).mostInFlight())
                / median(guarded, run -> run.total(Phase.SURGE).mostInFlight()))
        .isGreaterThan(5);
    assertThat(median(guarded, run -> run.total(Phase.SURGE).refused())).isPositive();
    assertThat(median(guarded, run -> run.total(Phase.AFTER).answeredShare())).isGreaterThan(0.95);
    assertThat(median(guarded, CollapseShapeTest::recovery)).isLessThanOrEqualTo(4);
    assertThat(median(guarded, CollapseShapeTest::shareForNobody)).isLessThan(0.1);
    assertThat(median(guarded, run -> (double) run.count("circuit.trips"))).isPositive();
    for (SurgeRun run : guarded) {
      assertThat(run.count("circuit.closings")).isEqualTo(run.count("circuit.trips"));
      assertThat(run.count("circuit.closed")).isEqualTo(Form.CONSUMERS);
    }
  }

  /** Or it is the injector that was measured, and nothing else here means anything. */
  private static void onTime(List<SurgeRun> runs) {
    for (Phase phase : Phase.values()) {
      assertThat(median(runs, run -> run.total(phase).lag().p99ShareOf(run.total(phase).waited())))
          .as(
              "%s, %s: the injector's lag ÷ what callers waited, p99 of each",
              runs.get(0).setup(), phase.label())
          .isLessThan(SMALL);
    }
  }

  private SurgeRun surge(Setup setup, double capacity) throws Exception {
    SurgeRun run = (setup.guarded() ? shorter : trial).surge(setup, capacity);
    assertThat(RunReconciliation.differences(run)).as("%s", run.setup()).isEmpty();
    return run;
  }

  /** One that did not recover took longer than the run. */
  private static double recovery(SurgeRun run) {
    return run.recoveredAfterSeconds()
        .orElse(run.form().afterWindows() * run.form().windowSeconds());
  }

  private static double shareForNobody(SurgeRun run) {
    return (double) run.doneForNobody() / run.count("p.done");
  }

  private static double waitedP99(SurgeRun run, Phase phase) {
    return run.total(phase).waited().percentileMillis(99);
  }

  private static double p95(SteadyRun run) {
    return run.result().sinceIntended().percentileMillis(95);
  }

  private static <T> double median(List<T> runs, ToDoubleFunction<T> figure) {
    return runs.stream().mapToDouble(figure).sorted().skip(RUNS / 2).findFirst().orElseThrow();
  }
}
