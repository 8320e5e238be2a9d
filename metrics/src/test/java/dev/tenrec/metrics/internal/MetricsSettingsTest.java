// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MetricsSettingsTest {

  @Test
  void window_notDivisible_saysWhichAndWhy() {
    assertThatThrownBy(() -> new MetricsSettings(1_000, 3, true, 60, 6, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rollingWindowNanos: 1000 is not a multiple of rollingBuckets (3)");
    assertThatThrownBy(() -> new MetricsSettings(1_000, 10, true, 60, 7, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("percentileWindowNanos: 60 is not a multiple of percentileBuckets (7)");
  }

  @Test
  void value_notPositive_saysWhich() {
    assertThatThrownBy(() -> new MetricsSettings(0, 10, true, 60, 6, 5))
        .hasMessage("rollingWindowNanos: 0 is not greater than 0");
    assertThatThrownBy(() -> new MetricsSettings(10, -1, true, 60, 6, 5))
        .hasMessage("rollingBuckets: -1 is not greater than 0");
    assertThatThrownBy(() -> new MetricsSettings(10, 1, false, 0, 6, 5))
        .hasMessage("percentileWindowNanos: 0 is not greater than 0");
    assertThatThrownBy(() -> new MetricsSettings(10, 1, false, 60, 0, 5))
        .hasMessage("percentileBuckets: 0 is not greater than 0");
    assertThatThrownBy(() -> new MetricsSettings(10, 1, true, 60, 6, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("healthIntervalNanos: 0 is not greater than 0");
  }
}
