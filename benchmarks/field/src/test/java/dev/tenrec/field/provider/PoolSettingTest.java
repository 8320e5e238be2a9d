// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PoolSettingTest {

  private final PoolSetting growing = PoolSetting.growing(16, 32, 50);

  @Test
  void properties_ofEachKind_sayAllFive() {
    assertThat(PoolSetting.fixed(8, 0).properties("P"))
        .containsOnly(
            Map.entry("tenrec.threadpool.P.coreSize", "8"),
            Map.entry("tenrec.threadpool.P.maximumSize", "8"),
            Map.entry("tenrec.threadpool.P.allowMaximumSizeToDivergeFromCoreSize", "false"),
            Map.entry("tenrec.threadpool.P.maxQueueSize", "-1"),
            Map.entry("tenrec.threadpool.P.queueSizeRejectionThreshold", "0"));
    assertThat(growing.properties("P"))
        .containsEntry("tenrec.threadpool.P.maximumSize", "32")
        .containsEntry("tenrec.threadpool.P.allowMaximumSizeToDivergeFromCoreSize", "true")
        .containsEntry("tenrec.threadpool.P.maxQueueSize", "50");
  }

  @Test
  void text_saysTheKind() {
    assertThat(PoolSetting.fixed(8, 0)).hasToString("fixed 8, no queue");
    assertThat(growing).hasToString("growing 16 to 32, queue 50");
    assertThat(growing.permits()).isEqualTo(82);
  }

  @Test
  void properties_ofAPointWithAnOwnPool_moveItsMethodThere() {
    Point point =
        new Point(
            Part.MIXED, Map.of(Method.FOLLOW, 1), growing, Map.of(Method.FOLLOW, growing), 0, 0, 0);

    assertThat(point.properties())
        .containsEntry("tenrec.threadpool.Business.coreSize", "16")
        .containsEntry("tenrec.threadpool.follow.coreSize", "16")
        .containsEntry("tenrec.command.follow.threadPoolKeyOverride", "follow");
    assertThat(point.poolKey(Method.IS_FOLLOW)).isEqualTo("Business");
  }
}
