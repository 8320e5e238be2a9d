// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdoptableResourcesTest {

  @Test
  void take_isOnce_andOfItsKey() {
    AdoptableResources<Object> letGo = new AdoptableResources<>();
    Object held = new Object();
    letGo.add("S", held);

    assertThat(letGo.take("T")).isNull();
    assertThat(letGo.take("S")).isSameAs(held);
    assertThat(letGo.take("S")).isNull();
  }
}
