// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HealthSnapshotTest {

  @Test
  void percentages_areRoundedDown() {
    HealthSnapshot health = new HealthSnapshot(3, 1, 1);

    assertThat(health.errorPercentage()).isEqualTo(33);
    assertThat(health.troublePercentage()).isEqualTo(66);
  }

  @Test
  void percentages_withoutAnyCall_areZero() {
    assertThat(HealthSnapshot.EMPTY.errorPercentage()).isZero();
    assertThat(HealthSnapshot.EMPTY.troublePercentage()).isZero();
  }

  @Test
  void percentages_ofMoreCallsThanAnIntHolds_areRight() {
    HealthSnapshot health = new HealthSnapshot(4_000_000_000L, 1_000_000_000L, 2_000_000_000L);

    assertThat(health.errorPercentage()).isEqualTo(25);
    assertThat(health.troublePercentage()).isEqualTo(75);
  }
}
