// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ItemTimeoutTest {

  private static final long FIRST = 10;

  private final ItemTimeout wait = new ItemTimeout(() -> 0, FIRST, ItemTimeout.NONE, FIRST);

  @Test
  void waitThatIsOn_doesNotBeginAgain() {
    assertThat(wait.beginAt(0)).as("watched from the beginning").isEqualTo(ItemTimeout.NONE);
    assertThat(wait.beginAt(5)).isEqualTo(ItemTimeout.NONE);
    assertThat(wait.waitedNanos()).isZero();
  }

  @Test
  void waitWithoutALimit_doesNotBegin() {
    ItemTimeout endless =
        new ItemTimeout(() -> 0, ItemTimeout.NONE, ItemTimeout.NONE, ItemTimeout.NONE);
    assertThat(endless.beginAt(0)).isEqualTo(ItemTimeout.NONE);
    assertThat(endless.watchAgain()).isEqualTo(ItemTimeout.NONE);
  }

  @Test
  void watch_ofAnotherDeadline_doesNotCount() {
    assertThat(wait.beginAt(0)).isEqualTo(ItemTimeout.NONE);

    assertThat(wait.unwatch(FIRST - 1)).isFalse();
    assertThat(wait.unwatch(FIRST)).isTrue();
    assertThat(wait.unwatch(FIRST)).as("it has come").isFalse();
  }

  @Test
  void watch_whileNothingIsWaitedFor_doesNotCount() {
    assertThat(wait.unwatch(FIRST)).isFalse();
  }
}
