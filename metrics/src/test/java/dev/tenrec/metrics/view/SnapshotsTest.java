// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import dev.tenrec.metrics.latency.LatencyTotals;
import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.latency.SizeTotals;
import org.junit.jupiter.api.Test;

/** A view that has stopped answers from what it was made of. */
class SnapshotsTest {

  private final LatencySnapshot execution = LatencySnapshot.of(new int[] {3});
  private final LatencySnapshot caller = LatencySnapshot.of(new int[] {0, 3});

  private final CommandSnapshot command =
      new CommandSnapshot(
          "command",
          "group",
          null,
          new CountsSnapshot(
              EventCounts.of(event -> 100L + event.ordinal()),
              EventCounts.of(event -> 200L + event.ordinal())),
          HealthSnapshot.EMPTY,
          new LatencySnapshots(execution, caller),
          new CommandTotals(EventCounts.NONE, 7, 9, LatencyTotals.EMPTY, LatencyTotals.EMPTY),
          1,
          2,
          3,
          4,
          5,
          CircuitState.CLOSED,
          6,
          8);

  @Test
  void command_askedForOneEvent_hasItsCounts() {
    for (EventType event : EventType.values()) {
      assertThat(command.rollingCount(event)).isEqualTo(100L + event.ordinal());
      assertThat(command.cumulativeCount(event)).isEqualTo(200L + event.ordinal());
    }
  }

  @Test
  void command_askedForACountOfItsTotals_hasThat() {
    assertThat(command.cumulativeWouldRefuseCount()).isEqualTo(7);
    assertThat(command.rollingWouldRefuseCount()).isEqualTo(8);
    assertThat(command.cumulativeAbandonedCount()).isEqualTo(9);
  }

  @Test
  void command_askedForOneLatency_hasThat() {
    assertThat(command.executionLatency()).isSameAs(execution);
    assertThat(command.callerLatency()).isSameAs(caller);
  }

  @Test
  void snapshot_ofASnapshot_isItself() {
    PoolSnapshot pool = new PoolSnapshot("pool", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    CollapserSnapshot collapser =
        new CollapserSnapshot(
            "collapser", 1, 2, 3, 4, 5, 6, SizeSnapshot.EMPTY, SizeTotals.EMPTY, 7, 8, true);

    assertThat(command.snapshot()).isSameAs(command);
    assertThat(pool.snapshot()).isSameAs(pool);
    assertThat(collapser.snapshot()).isSameAs(collapser);
  }
}
