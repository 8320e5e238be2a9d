// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.benchmarks.footprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WeighingTest {

  /** A few of those that are called, for no more than that every population works. */
  private static final Weighing.Scope FEW = new Weighing.Scope(1_000, 5, 10, 20, 2);

  @Test
  void weigh_oursNeverCalled_isSomeBytes() throws InterruptedException {
    assertThat(new Weighing(TenrecPopulation::new, FEW).weigh(Figure.NEVER_CALLED))
        .isBetween(100.0, 50_000.0);
  }

  @ParameterizedTest
  @EnumSource
  void weigh_eachFigure_ofOursAndOfResilience4j(Figure figure) {
    assertThatCode(() -> new Weighing(TenrecPopulation::new, FEW).weigh(figure))
        .doesNotThrowAnyException();
    assertThatCode(() -> new Weighing(Resilience4jPopulation::new, FEW).weigh(figure))
        .doesNotThrowAnyException();
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
