// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import org.junit.jupiter.api.Test;

class PointReconciliationTest {

  private final SomeMeasured some =
      new SomeMeasured(Part.SWEEP, Method.FOLLOW, PoolSetting.fixed(8, 50), 100, 20);

  @Test
  void differences_ofWhatAgrees_areNone() {
    assertThat(PointReconciliation.differences(some.measured())).isEmpty();
  }

  @Test
  void differences_ofTheProvider_areNamed() {
    some.provider.put("received", 121.0);

    assertThat(PointReconciliation.differences(some.measured()))
        .containsExactly(
            "received by the provider is 121, expected at least 120 (sent and not failed) and at most 120 (sent)",
            "the provider received is 121, but its commands counted is 120",
            "the provider received is 121, but answered, one way or other is 120");
  }

  @Test
  void differences_ofCommandAndPool_areNamed() {
    some.provider.put("follow.THREAD_POOL_REJECTED", 19.0);
    some.provider.put("pool.Business.queue", 49.0);

    assertThat(PointReconciliation.differences(some.measured()))
        .containsExactly(
            "follow: the command's rejections is 19, expected at least 20 (the driver's) and at most 20 (these and the failed)",
            "the provider received is 120, but its commands counted is 119",
            "pool.Business.queue is 49, but set is 50",
            "rejected by pools is 20, but by commands is 19");
  }

  @Test
  void differences_ofTheStore_areNamed() {
    some.store.put("follow.entered", 99.0);

    assertThat(PointReconciliation.differences(some.measured()))
        .containsExactly(
            "follow: asked of the store is 99, expected at least 100 (successes) and at most 100 (work done)");
  }
}
