// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventCountsTest {

  @Test
  void of_eachType_hasItsOwnCount() {
    EventCounts counts = EventCounts.of(event -> 100L + event.ordinal());
    for (EventType event : EventType.values()) {
      assertThat(counts.get(event)).isEqualTo(100L + event.ordinal());
    }
  }

  @Test
  void equals_isByTheCounts() {
    EventCounts one = EventCounts.of(event -> event == EventType.TIMEOUT ? 1 : 0);
    EventCounts same = EventCounts.of(event -> event == EventType.TIMEOUT ? 1 : 0);
    assertThat(one).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(EventCounts.NONE);
    assertThat(one.hashCode()).isNotEqualTo(EventCounts.NONE.hashCode());
    assertThat(EventCounts.of(event -> 0)).isEqualTo(EventCounts.NONE);
  }

  @Test
  void toString_hasThoseThatAreNotZero_inOrder() {
    assertThat(EventCounts.NONE).hasToString("{}");
    EventCounts counts =
        EventCounts.of(
            event ->
                switch (event) {
                  case CANCELLED -> 5_000_000_000L;
                  case SUCCESS -> 2;
                  default -> 0;
                });
    assertThat(counts).hasToString("{SUCCESS=2, CANCELLED=5000000000}");
  }
}
