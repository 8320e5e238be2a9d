// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetiredResourcesTest {

  private static final int MANY = 100_000;

  private final AtomicInteger looks = new AtomicInteger();

  private boolean looked(boolean gone) {
    looks.incrementAndGet();
    return gone;
  }

  @Test
  void add_whenAllHaveGone_keepsFewAndLooksAtEachOnce() {
    RetiredResources<Integer, Integer> leaving = new RetiredResources<>(one -> looked(true));
    for (int i = 0; i < MANY; i++) {
      leaving.add(i, i);
      assertThat(leaving.all().size()).isLessThanOrEqualTo(16);
    }
    assertThat(looks.get()).isLessThanOrEqualTo(MANY);
  }

  @Test
  void add_whenNoneHasGone_keepsAllAndLooksAtEachAFewTimes() {
    RetiredResources<Integer, Integer> leaving = new RetiredResources<>(one -> looked(false));
    for (int i = 0; i < MANY; i++) {
      leaving.add(i, i);
    }
    assertThat(leaving.all()).hasSize(MANY);
    assertThat(looks.get()).isLessThanOrEqualTo(2 * MANY);
    assertThat(leaving.remove(7)).isEqualTo(7);
    assertThat(leaving.remove(7)).isNull();
    assertThat(leaving.all()).hasSize(MANY - 1);
  }
}
