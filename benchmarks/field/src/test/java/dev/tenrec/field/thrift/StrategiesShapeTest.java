// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.thrift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.kit.Stop;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What further attempts do to a provider in collapse; each figure is the median of three runs. */
@Tag("field")
class StrategiesShapeTest {

  private static final int RUNS = 3;

  private final Form form = Form.ATTEMPTS;
  private final Trial trial = new Trial(form, 0, Stop.onDemand());
  private final Map<Guard, List<SurgeRun>> runs = new EnumMap<>(Guard.class);

  @Test
  void surge_withRetries_recoversAsWithout_ifTheyAreOnABudget() throws Exception {
    for (int run = 0; run < RUNS; run++) {
      double capacity = trial.steady(1_000, form.users(), ended -> {}).get(0).result().perSecond();
      for (Guard strategy : Strategies.ALL) {
        SurgeRun surge = trial.surge(Strategies.setup(form, strategy), capacity);
        assertThat(RunReconciliation.differences(surge)).as("%s", surge.setup()).isEmpty();
        assertThat(StrategiesReport.attempts(surge))
            .isLessThanOrEqualTo(StrategiesReport.most(surge));
        runs.computeIfAbsent(strategy, first -> new ArrayList<>()).add(surge);
      }
    }

    double once = recovery(Guard.ONCE);
    assertThat(recovery(Guard.RETRIES)).isGreaterThan(once);
    // no longer than without, but for what two runs of the same may differ by
    double asLong = once + 2 * form.windowSeconds();
    assertThat(recovery(Guard.BUDGET)).isLessThanOrEqualTo(asLong);
    assertThat(recovery(Guard.HEDGES)).isLessThanOrEqualTo(asLong);
    assertThat(median(Guard.RETRIES, StrategiesReport::forEachCall)).isGreaterThan(1.5);
    assertThat(median(Guard.RETRIES, SurgeRun::doneForNobody))
        .isGreaterThan(median(Guard.BUDGET, SurgeRun::doneForNobody));
  }

  /** One that did not recover took longer than the run. */
  private double recovery(Guard strategy) {
    return median(
        strategy,
        run -> run.recoveredAfterSeconds().orElse(form.afterWindows() * form.windowSeconds()));
  }

  private double median(Guard strategy, ToDoubleFunction<SurgeRun> figure) {
    return runs.get(strategy).stream()
        .mapToDouble(figure)
        .sorted()
        .skip(RUNS / 2)
        .findFirst()
        .orElseThrow();
  }
}
