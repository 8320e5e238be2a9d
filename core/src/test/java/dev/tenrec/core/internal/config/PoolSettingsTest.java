// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolSettingsTest {

  @ParameterizedTest
  @CsvSource({
    "5, 10, false, 5",
    "5, 10, true, 10",
    "10, 5, false, 10",
    "10, 10, true, 10",
  })
  void effectiveMaximum_divergence_decides(int core, int maximum, boolean diverge, int effective) {
    assertThat(new PoolSettings(core, maximum, diverge, 0, -1, -1, 1, 1).effectiveMaximum())
        .isEqualTo(effective);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 5, 0",
    "0, 5, 0",
    "20, 5, 5",
    "20, 20, 20",
    "20, 30, 20",
    "20, 0, 0",
  })
  void effectiveQueue_smallerOfSizeAndThreshold(int size, int threshold, int effective) {
    assertThat(new PoolSettings(1, 1, false, 0, size, threshold, 1, 1).effectiveQueue())
        .isEqualTo(effective);
  }

  @Test
  void threshold_unset_followsTheQueueSizeLive() {
    MapSource source = new MapSource();
    try (Configuration configuration = Configuration.open(source)) {
      LiveSettings<PoolSettings> live =
          configuration.pool("P", CodeSettings.pool().build(), settings -> {});
      assertThat(live.current().effectiveQueue()).isZero();
      source.set("tenrec.threadpool.P.maxQueueSize", "20");
      assertThat(live.current().queueSizeRejectionThreshold()).isEqualTo(20);
      source.set("tenrec.threadpool.default.queueSizeRejectionThreshold", "5");
      assertThat(live.current().effectiveQueue()).isEqualTo(5);
    }
  }
}
