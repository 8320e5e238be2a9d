// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RuleTest {

  @Test
  void strategyOn_anyJava_letsThePlatformStrategiesThrough() {
    for (int version : new int[] {17, 20, 21, 25}) {
      assertThat(Rule.strategyOn(version).holds())
          .accepts(IsolationStrategy.THREAD, IsolationStrategy.SEMAPHORE);
    }
  }

  @Test
  void strategyOn_virtualThreads_needJava21() {
    assertThat(Rule.strategyOn(17).holds()).rejects(IsolationStrategy.VIRTUAL_THREAD);
    assertThat(Rule.strategyOn(20).holds()).rejects(IsolationStrategy.VIRTUAL_THREAD);
    assertThat(Rule.strategyOn(21).holds()).accepts(IsolationStrategy.VIRTUAL_THREAD);
    assertThat(Rule.strategyOn(25).holds()).accepts(IsolationStrategy.VIRTUAL_THREAD);
    assertThat(Rule.strategyOn(20).words())
        .isEqualTo("must not be VIRTUAL_THREAD before Java 21, and this is Java 20");
  }
}
