// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WeighingTest {

  /** A few of each, for no more than that every population works. */
  private static final Weighing.Scope FEW = new Weighing.Scope(5, 10, 20, 2);

  @Test
  void weigh_ours_tellsEveryFigure() throws InterruptedException {
    assertThat(new Weighing(TenrecPopulation::new, FEW).weigh())
        .containsOnlyKeys(
            "NeverCalled",
            "After10000Calls",
            "BusyOn8Threads",
            "PerCallInFlight",
            "ThreadsPer1000Commands")
        .hasEntrySatisfying("NeverCalled", bytes -> assertThat(bytes).isBetween(100.0, 50_000.0));
  }

  @Test
  void weigh_resilience4j_tellsEveryFigure() throws InterruptedException {
    Map<String, Double> figures = new Weighing(Resilience4jPopulation::new, FEW).weigh();

    assertThat(figures).hasSize(5);
  }

  @Test
  void hystrix_ofAFew_callsAndHolds() {
    try (HystrixPopulation population = new HystrixPopulation()) {
      population.add(2);
      population.call(1);

      assertThat((List<?>) population.start(3)).hasSize(3);
    }
  }
}
