// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.tenrec.core.internal.breaker.Permission;
import org.junit.jupiter.api.Test;

class StackRoomTest {

  @Test
  void admit_withRoom_isTheGatesWord() {
    Permission permission = new Permission() {};
    assertThat(
            StackRoom.admit((Permission plan, long now) -> now == 7 ? plan : null, permission, 7))
        .isSameAs(permission);
  }

  /** What it does where there is none is {@code StackOverflowTest}'s to show. */
  @Test
  void require_withRoom_returns() {
    assertThatNoException().isThrownBy(StackRoom::require);
  }
}
