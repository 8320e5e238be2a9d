// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.field.provider.Point.Part;
import dev.tenrec.field.provider.service.Method;
import org.junit.jupiter.api.Test;

class ProviderBooksTest {

  private final SomeMeasured some =
      new SomeMeasured(Part.SWEEP, Method.FOLLOW, PoolSetting.fixed(8, 50), 100, 20);

  @Test
  void differences_ofWhatAgrees_areNone() {
    assertThat(Books.differences(some.measured())).isEmpty();
  }

  @Test
  void differences_ofTheProvider_areNamed() {
    some.provider.put("received", 121.0);

    assertThat(Books.differences(some.measured()))
        .containsExactly(
            "the provider received 121, but 120 were sent",
            "the provider received is 121, but its commands counted is 120",
            "the provider received is 121, but answered, one way or other is 120");
  }

  @Test
  void differences_ofCommandAndPool_areNamed() {
    some.provider.put("follow.THREAD_POOL_REJECTED", 19.0);
    some.provider.put("pool.Business.queue", 49.0);

    assertThat(Books.differences(some.measured()))
        .containsExactly(
            "follow: the command's rejections are 19, but the driver saw 20",
            "the provider received is 120, but its commands counted is 119",
            "pool.Business.queue is 49, but set is 50",
            "rejected by pools is 20, but by commands is 19");
  }

  @Test
  void differences_ofTheStore_areNamed() {
    some.store.put("follow.entered", 99.0);

    assertThat(Books.differences(some.measured()))
        .containsExactly("follow: the store was asked 99 times, but its work was done 100");
  }
}
