// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit of a test method is read as the build's files and commands write it. */
class PatientWaitsTest {

  @ParameterizedTest
  @CsvSource({"15 m, 900", "30m, 1800", "1h, 3600", "45 s, 45"})
  void ofMethod_asItIsWritten_isItsTime(String written, long seconds) {
    assertThat(PatientWaits.ofMethod(written)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void ofMethod_anotherUnit_isRefused() {
    assertThatThrownBy(() -> PatientWaits.ofMethod("2 d"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 d");
  }

  @Test
  void ofAProcess_always_isLessThanTheLimitOfAMethod() {
    String limit = System.getProperty("junit.jupiter.execution.timeout.testable.method.default");
    Duration method = limit == null ? Duration.ofMinutes(15) : PatientWaits.ofMethod(limit);

    assertThat(PatientWaits.ofAProcess()).isPositive().isLessThan(method);
  }
}
