// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link Sizing#volumeThreshold} against the exact chance that a circuit opens. */
class VolumeThresholdTest {

  private static Sizing tolerating(int percent) {
    return Sizing.of(
        BigDecimal.TEN,
        Duration.ofMillis(100),
        Duration.ofMillis(100),
        BigDecimal.valueOf(percent, 2));
  }

  @ParameterizedTest
  @CsvSource({
    "10, 0.005, 0.001, 34", // ln 1000 / (0.1 ln 20 + 0.9 ln (0.9 / 0.995)) = 33.01
    "50, 0.05, 0.001, 9", // 6.908 / 0.8304
    "10, 0.05, 0.001, 335", // 6.908 / 0.02065
    "100, 0.1, 0.001, 3", // three errors of three: exactly a thousandth
    "20, 0.1, 0.5, 16" // 0.693 / 0.04440
  })
  void volumeThreshold_isTheBoundOfHoeffding(
      int percent, BigDecimal healthy, BigDecimal chance, int calls) {
    assertThat(tolerating(percent).volumeThreshold(healthy, chance)).isEqualTo(calls);
  }

  @ParameterizedTest
  @CsvSource({"10, 0.005, 0.001", "10, 0.02, 0.01", "20, 0.05, 0.001", "50, 0.05, 0.001"})
  void circuit_ofThatVolume_opensNoOftenerThanSaid(
      int percent, BigDecimal healthy, BigDecimal chance) {
    int calls = tolerating(percent).volumeThreshold(healthy, chance);

    double opens = chanceToOpen(percent, healthy.doubleValue(), calls);

    assertThat(opens).isLessThanOrEqualTo(chance.doubleValue());
    // and not so much rarer that far fewer calls would do as well
    assertThat(chanceToOpen(percent, healthy.doubleValue(), calls / 2))
        .isGreaterThan(chance.doubleValue());
  }

  /** The original's 20 of a threshold of 10 %, with a time-out at p99.5. */
  @Test
  void circuit_ofTwentyCalls_opensInOneOfTwoHundredWindows() {
    assertThat(chanceToOpen(10, 0.005, 20))
        .isBetween(0.0045, 0.0047); // as good as two errors of the first 20
  }

  /**
   * The chance that the circuit opens while 3,000 calls come, each an error with the same chance:
   * by the number of errors so far, of the windows in which it has not opened. A circuit looks at
   * no fewer calls than its volume, and at percentages rounded down.
   */
  private static double chanceToOpen(int percent, double healthy, int volume) {
    int calls = 3_000;
    double[] byErrors = new double[calls + 2];
    byErrors[0] = 1;
    double opened = 0;
    for (int total = 1; total <= calls; total++) {
      for (int errors = total; errors > 0; errors--) {
        byErrors[errors] = byErrors[errors] * (1 - healthy) + byErrors[errors - 1] * healthy;
      }
      byErrors[0] *= 1 - healthy;
      if (total >= volume) {
        int least = (total * percent + 99) / 100;
        opened += Arrays.stream(byErrors, least, total + 1).sum();
        Arrays.fill(byErrors, least, total + 1, 0);
      }
    }
    return opened;
  }

  @Test
  void volumeThreshold_ofWrongInput_saysWhatWasExpected() {
    Sizing sizing = tolerating(10);
    BigDecimal one = new BigDecimal("0.01");
    assertThatThrownBy(() -> sizing.volumeThreshold(BigDecimal.ZERO, one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("healthyErrorShare is 0, expected above 0 and below the error threshold, 0.10");
    assertThatThrownBy(() -> sizing.volumeThreshold(new BigDecimal("0.1"), one))
        .hasMessageStartingWith("healthyErrorShare is 0.1, expected");
    assertThatThrownBy(() -> sizing.volumeThreshold(one, BigDecimal.ZERO))
        .hasMessage("chance is 0, expected above 0 and below 1");
    assertThatThrownBy(() -> sizing.volumeThreshold(one, BigDecimal.ONE))
        .hasMessage("chance is 1, expected above 0 and below 1");
    assertThatThrownBy(() -> sizing.volumeThreshold(new BigDecimal("0.0999999999999999999"), one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no number of calls can tell a healthy share of errors of 0.0999999999999999999 from a"
                + " threshold of 0.10 with a chance of 0.01");
  }
}
