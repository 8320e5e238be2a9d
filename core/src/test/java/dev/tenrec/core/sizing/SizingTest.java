// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizingTest {

  private static final BigDecimal TENTH = new BigDecimal("0.10");

  /** The measured endpoint: 854.2 req/s at 231 ms; a time-out of 700 ms was bearable. */
  private final Sizing endpoint =
      Sizing.of(new BigDecimal("854.2"), Duration.ofMillis(231), Duration.ofMillis(700), TENTH);

  /** The small example: 30 req/s; p99 200 ms, p99.5 300 ms. */
  private final Sizing small =
      Sizing.of(new BigDecimal("30"), Duration.ofMillis(200), Duration.ofMillis(300), TENTH);

  @Test
  void of_theMeasuredEndpoint_isItsProductRoundedUp() {
    // 854.2 x 0.231 = 197.3202; 198 x 2/8 = 49.5; 248 x 10 % = 24.8
    assertThat(endpoint)
        .isEqualTo(new Sizing(198, 248, 198, Duration.ofMillis(700), 25, 10, TENTH));
  }

  @Test
  void withCoreSize_theRoundNumberChosenByHand_givesTheFieldsConfiguration() {
    assertThat(endpoint.withCoreSize(200))
        .isEqualTo(new Sizing(200, 250, 200, Duration.ofMillis(700), 25, 10, TENTH));
  }

  @Test
  void of_theSmallExample_isExact() {
    // 30 x 0.2 = 6; 6 x 2/8 = 1.5; 8 x 10 % = 0.8
    assertThat(small).isEqualTo(new Sizing(6, 8, 6, Duration.ofMillis(300), 1, 10, TENTH));
  }

  @Test
  void withMaximumSize_ofTheSmallExample_changesWhatFollowsFromIt() {
    assertThat(small.withMaximumSize(10))
        .isEqualTo(new Sizing(6, 10, 6, Duration.ofMillis(300), 1, 10, TENTH));
    assertThat(small.withMaximumSize(11).fallbackPermits()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "10, PT0.1S, 1",
    "10, PT0.100000001S, 2", // a nanosecond more occupies a second thread
    "0.001, PT1S, 1",
    "0.1, PT30S, 3", // in doubles 0.1 * 30 is more than 3
    "3, PT0.7S, 3",
    "2147483647, PT1S, 2147483647"
  })
  void threads_ofAnyLoad_areTheProductRoundedUp(BigDecimal rate, Duration latency, int threads) {
    assertThat(Sizing.threads(rate, latency)).isEqualTo(threads);
  }

  @ParameterizedTest
  @CsvSource({"0.10, 10, 25", "0.125, 12, 32", "0.004, 1, 1", "1, 100, 250"})
  void of_anyShare_roundsThresholdDownAndPermitsUp(BigDecimal share, int threshold, int permits) {
    Sizing sizing =
        Sizing.of(new BigDecimal("1000"), Duration.ofMillis(200), Duration.ofMillis(200), share);

    assertThat(sizing.errorThresholdPercentage()).isEqualTo(threshold);
    assertThat(sizing.fallbackPermits()).isEqualTo(permits);
  }

  @Test
  void of_aTimeoutBetweenMillis_takesTheNextOne() {
    Duration measured = Duration.ofNanos(300_000_001);

    Sizing sizing = Sizing.of(BigDecimal.TEN, Duration.ofMillis(200), measured, TENTH);

    assertThat(sizing.timeout()).isEqualTo(Duration.ofMillis(301));
  }

  @Test
  void of_wrongInput_saysWhatAndWhatWasExpected() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> Sizing.of(BigDecimal.ZERO, second, second, TENTH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("requestsPerSecond is 0, expected more than 0");
    assertThatThrownBy(() -> Sizing.of(BigDecimal.TEN, Duration.ZERO, second, TENTH))
        .hasMessage("p99 is PT0S, expected more than 0");
    assertThatThrownBy(() -> Sizing.of(BigDecimal.TEN, second, Duration.ofMillis(-1), TENTH))
        .hasMessage("p995 is PT-0.001S, expected more than 0");
    assertThatThrownBy(() -> Sizing.of(BigDecimal.TEN, second, Duration.ofMillis(999), TENTH))
        .hasMessage("p995 is PT0.999S, expected not below p99, PT1S");
    assertThatThrownBy(() -> Sizing.of(BigDecimal.TEN, second, second, BigDecimal.ZERO))
        .hasMessage("toleratedErrorShare is 0, expected above 0 and at most 1");
    assertThatThrownBy(() -> Sizing.of(BigDecimal.TEN, second, second, new BigDecimal("10")))
        .hasMessage("toleratedErrorShare is 10, expected above 0 and at most 1");
  }

  @Test
  void of_moreThanAnIntCanCount_saysSo() {
    BigDecimal tooMany = new BigDecimal("2147483648");

    assertThatThrownBy(() -> Sizing.threads(tooMany, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "2147483648 requests per second of PT1S each need 2147483648 threads, expected at most"
                + " 2147483647");
    assertThatThrownBy(
            () -> endpoint.withCoreSize(Integer.MAX_VALUE)) // the buffer is what does not fit
        .hasMessageStartingWith("a core of 2147483647 and its buffer need 2684354559 threads");
  }

  @Test
  void with_lessThanComputed_isRefused() {
    assertThatThrownBy(() -> endpoint.withCoreSize(197))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("coreSize is 197, expected at least the computed 198");
    assertThatThrownBy(() -> endpoint.withMaximumSize(197))
        .hasMessage("maximumSize is 197, expected at least coreSize, 198");
  }
}
