// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Sizing#permits} against Erlang's published table, his sum, and a simulation. */
class PermitsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /**
   * The table has, for each number of circuits and share of loss, the load that they carry: 10
   * carry 4.46 at 1 %, 20 carry 12.0, 100 carry 84.1; 10 carry 3.09 at 0.1 %, 100 carry 75.2.
   */
  @ParameterizedTest
  @CsvSource({
    "1.35, 0.01, 5", "1.37, 0.01, 6",
    "4.45, 0.01, 10", "4.47, 0.01, 11",
    "12.0, 0.01, 20", "12.1, 0.01, 21",
    "84.0, 0.01, 100", "84.2, 0.01, 101",
    "3.08, 0.001, 10", "3.10, 0.001, 11",
    "75.2, 0.001, 100", "75.3, 0.001, 101"
  })
  void permits_ofALoad_areThoseOfTheTable(BigDecimal load, BigDecimal share, int permits) {
    assertThat(Sizing.permits(load, SECOND, share)).isEqualTo(permits);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10, 40, 120})
  void permits_areTheFewestByErlangsSum(int load) {
    BigDecimal share = new BigDecimal("0.001");

    int permits = Sizing.permits(BigDecimal.valueOf(load * 10L), Duration.ofMillis(100), share);

    assertThat(loss(load, permits)).isLessThanOrEqualTo(0.001);
    assertThat(loss(load, permits - 1)).isGreaterThan(0.001);
  }

  /** A^c / c! over the sum of A^k / k! for k up to c, each term from the one before. */
  private static double loss(double load, int permits) {
    double term = 1;
    double sum = 1;
    for (int k = 1; k <= permits; k++) {
      term *= load / k;
      sum += term;
    }
    return term / sum;
  }

  @Test
  void permits_ofConstantAndOfScatteredWork_refuseWhatTheFormulaSays() {
    // 100/s of 100 ms each: 10 in flight, 18 permits for 1 %
    int permits =
        Sizing.permits(BigDecimal.valueOf(100), Duration.ofMillis(100), new BigDecimal("0.01"));
    assertThat(permits).isEqualTo(18);
    Random random = new Random(27);

    DoubleSupplier constant = () -> 0.1;
    DoubleSupplier exponential = () -> -Math.log(1 - random.nextDouble()) * 0.1;
    DoubleSupplier slowTail = () -> random.nextInt(50) == 0 ? 2.55 : 0.05; // 0.1 s on average

    assertThat(refused(random, constant, permits)).isBetween(0.0060, 0.0082);
    assertThat(refused(random, exponential, permits)).isBetween(0.0060, 0.0082);
    assertThat(refused(random, slowTail, permits)).isBetween(0.0060, 0.0082);
    assertThat(loss(10, permits)).isBetween(0.0070, 0.0072);
    // as many as are in flight on average refuse every fifth
    assertThat(refused(random, constant, 10)).isBetween(0.20, 0.23);
  }

  /** The share of 400,000 calls, 100 a second at random, that find no permit. */
  private static double refused(Random random, DoubleSupplier work, int permits) {
    PriorityQueue<Double> ends = new PriorityQueue<>();
    double now = 0;
    int refused = 0;
    int calls = 400_000;
    for (int i = 0; i < calls; i++) {
      now += -Math.log(1 - random.nextDouble()) / 100;
      while (!ends.isEmpty() && ends.peek() <= now) {
        double unused = ends.remove();
      }
      if (ends.size() == permits) {
        refused++;
      } else {
        ends.add(now + work.getAsDouble());
      }
    }
    return refused / (double) calls;
  }

  @Test
  void permits_atTheEdges() {
    assertThat(Sizing.permits(BigDecimal.TEN, SECOND, BigDecimal.ONE)).isEqualTo(1);
    assertThat(Sizing.permits(new BigDecimal("1E-400"), SECOND, new BigDecimal("0.01")))
        .isEqualTo(1);
    assertThat(Sizing.permits(BigDecimal.valueOf(1_000_000), SECOND, new BigDecimal("0.01")))
        .isBetween(990_000, 1_000_000);
    assertThatThrownBy(
            () -> Sizing.permits(new BigDecimal("1E400"), SECOND, new BigDecimal("0.01")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(" in flight need more than 10000000 permits");
    assertThatThrownBy(() -> Sizing.permits(BigDecimal.ZERO, SECOND, BigDecimal.ONE))
        .hasMessage("requestsPerSecond is 0, expected more than 0");
    assertThatThrownBy(() -> Sizing.permits(BigDecimal.TEN, Duration.ZERO, BigDecimal.ONE))
        .hasMessage("mean is PT0S, expected more than 0");
    assertThatThrownBy(() -> Sizing.permits(BigDecimal.TEN, SECOND, BigDecimal.ZERO))
        .hasMessage("refusedShare is 0, expected above 0 and at most 1");
  }
}
