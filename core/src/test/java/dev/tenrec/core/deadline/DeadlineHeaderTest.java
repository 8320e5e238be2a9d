// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tenrec.core.DeadlineHeader;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineHeaderTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0, 0n",
    "PT0.000000999S, 0, 999n",
    "PT0.0019S, 1, 1900000n",
    "PT0.25S, 250, 250000u",
    "PT100S, 100000, 100000m",
    "PT100000S, 100000000, 100000S",
  })
  void write_ofATime_isReadAsThatOrLess(Duration left, String millis, String grpc) {
    assertThat(DeadlineHeader.MILLIS.write(left)).isEqualTo(millis);
    assertThat(DeadlineHeader.GRPC.write(left)).isEqualTo(grpc);
    assertThat(DeadlineHeader.MILLIS.read(millis)).isEqualTo(Duration.ofMillis(left.toMillis()));
    assertThat(DeadlineHeader.GRPC.read(grpc)).isEqualTo(left);
  }

  @ParameterizedTest
  @CsvSource({
    "2H, PT2H",
    "3M, PT3M",
    "4S, PT4S",
    "5m, PT0.005S",
    "6u, PT0.000006S",
    "7n, PT0.000000007S"
  })
  void read_ofEachGrpcUnit_isUnderstood(String text, Duration expected) {
    assertThat(DeadlineHeader.GRPC.read(" " + text + " ")).isEqualTo(expected);
  }

  @Test
  void read_ofMoreThanTenYears_isTenYears() {
    Duration tenYears = Duration.ofDays(3_650);
    assertThat(DeadlineHeader.GRPC.read("99999999H")).isEqualTo(tenYears);
    assertThat(DeadlineHeader.MILLIS.read("999999999999999")).isEqualTo(tenYears);
    assertThat(DeadlineHeader.GRPC.read(DeadlineHeader.GRPC.write(tenYears))).isEqualTo(tenYears);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "-1", "+1", "1.5", "1e3", "soon", "0x10", "1000000000000000", "١"})
  void read_ofWhatIsNoNumber_saysWhatWasExpected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeadlineHeader.MILLIS.read(text))
        .withMessageContaining("X-Millis-Left")
        .withMessageContaining("milliseconds");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "m", "123456789m", "-1m", "1 m", "1h", "1ms"})
  void read_ofWhatGrpcDoesNotWrite_saysWhatWasExpected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeadlineHeader.GRPC.read(text))
        .withMessageContaining("grpc-timeout")
        .withMessageContaining("8 digits");
  }

  @Test
  void read_ofALongText_showsItsBegin() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeadlineHeader.MILLIS.read("x".repeat(10_000)))
        .satisfies(thrown -> assertThat(thrown.getMessage()).hasSizeLessThan(200));
  }

  @Test
  void write_ofANegativeTime_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeadlineHeader.GRPC.write(Duration.ofNanos(-1)))
        .withMessageContaining("0 or more");
  }

  @Test
  void millis_withABlankName_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DeadlineHeader.millis(" "))
        .withMessageContaining("blank");
  }
}
