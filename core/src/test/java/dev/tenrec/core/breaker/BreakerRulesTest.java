// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.breaker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BreakerRulesTest {

  @Test
  void rules_outOfRange_sayWhichValueAndWhatWasExpected() {
    assertRefused("requestVolumeThreshold is -1, expected 0 or more", -1, 50, 1, 1, 1);
    assertRefused("errorThresholdPercentage is -1, expected 0 or more", 1, -1, 1, 1, 1);
    assertRefused("sleepWindowNanos is -1, expected 0 or more", 1, 50, -1, 1, 1);
    assertRefused("halfOpenTrials is 0, expected 1 or more", 1, 50, 1, 0, 1);
    assertRefused("leaseNanos is 0, expected 1 or more", 1, 50, 1, 1, 0);
  }

  private static void assertRefused(
      String message, int volume, int percentage, long sleep, int trials, long lease) {
    assertThatThrownBy(() -> new BreakerRules(volume, percentage, sleep, trials, lease))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
