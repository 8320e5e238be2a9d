// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.actuator.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.core.Tenrec;
import dev.tenrec.test.published.FollowingSource;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What health says of where the settings come from. */
class CircuitReportTest {

  @Test
  void instance_thatIsCutOffFromItsSettings_saysSoAndIsUp() {
    FollowingSource source = new FollowingSource();
    try (Tenrec steered = Tenrec.builder().remoteSource(source).build();
        Tenrec plain = Tenrec.create()) {
      assertThat(CircuitReport.of(steered).details().get("settings"))
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsEntry("connected", true)
          .containsEntry("instance", "shop-7")
          .containsEntry("version", 17L)
          .containsEntry("author", "alice")
          .containsEntry("alarms", List.of())
          .doesNotContainKeys("zone", "canary");
      source.setAway(true);
      CircuitReport away = CircuitReport.of(steered);
      assertThat(away.status()).isEqualTo("UP");
      assertThat(away.details().get("settings"))
          .asInstanceOf(InstanceOfAssertFactories.MAP)
          .containsEntry("connected", false)
          .containsEntry("alarms", List.of("the store was begun anew"));
      assertThat(CircuitReport.of(plain).details()).doesNotContainKey("settings");
    }
  }
}
