// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenrec.metrics.internal.slots.LatencySlots;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatencyTotalsTest {

  private static LatencyTotals of(long... slots) {
    return LatencyTotals.of(slots);
  }

  @Test
  void since_isWhatWasRecordedInBetween() {
    assertThat(of(0, 5, 7, 1).since(of(0, 5, 4))).isEqualTo(of(0, 0, 3, 1));
    assertThat(of(3, 1).since(LatencyTotals.EMPTY)).isEqualTo(of(3, 1));
    assertThat(of(3, 1).since(of(3, 1))).isEqualTo(LatencyTotals.EMPTY);
  }

  @Test
  void since_afterTheLatenciesWereLetGoOf_isAllThereIs() {
    assertThat(of(0, 2).since(of(0, 5))).isEqualTo(of(0, 2));
    assertThat(of(9).since(of(0, 0, 0, 5))).isEqualTo(of(9));
    assertThat(of(9).since(of(4, 0, 5))).as("a slot beyond the last").isEqualTo(of(9));
    assertThat(LatencyTotals.EMPTY.since(of(1))).isEqualTo(LatencyTotals.EMPTY);
  }

  @Test
  void equals_sameCountsInTheSameSlots_isTrueForThoseOnly() {
    assertThat(of(0, 5, 7))
        .isEqualTo(of(0, 5, 7))
        .hasSameHashCodeAs(of(0, 5, 7))
        .isNotEqualTo(of(5, 7))
        .isNotEqualTo(of(0, 5, 8))
        .isNotEqualTo("others");
    assertThat(of(0, 5, 7).hashCode()).isNotEqualTo(of(5, 7).hashCode());
    assertThat(new SizeTotals(of(0, 5)))
        .isEqualTo(new SizeTotals(of(0, 5)))
        .hasSameHashCodeAs(new SizeTotals(of(0, 5)))
        .isNotEqualTo(new SizeTotals(of(0, 6)));
    assertThat(new SizeTotals(of(0, 5)).hashCode())
        .isNotEqualTo(new SizeTotals(of(0, 6)).hashCode());
  }

  @Test
  void toString_always_hasTheCount() {
    assertThat(of(2, 3)).asString().startsWith("5 latencies, ");
    assertThat(new SizeTotals(of(2, 3))).asString().startsWith("5 sizes, ");
  }

  @Test
  void countsUpTo_aBoundTwice_isTheSameTwice() {
    assertThat(of(2, 3).countsUpTo(0, 0)).satisfies(each -> assertThat(each[1]).isEqualTo(each[0]));
    assertThat(of(2, 3).countsUpTo(Long.MAX_VALUE, Long.MAX_VALUE)).containsExactly(5, 5);
  }

  @Test
  void countsUpTo_ofSizesThatShareASlot_leavesThoseOutThatMayBeGreater() {
    long[] slots = new long[LatencySlots.COUNT];
    slots[LatencySlots.indexOf(SizeSnapshot.scaled(65))] = 1; // the slot of 64 and 65

    assertThat(new SizeTotals(LatencyTotals.of(slots)).countsUpTo(64, 65)).containsExactly(0, 1);
  }

  @Test
  void forEachSlot_ofNeighbours_readsRangesThatMeet() {
    List<Long> read = new ArrayList<>();
    of(2, 3).forEachSlot((from, to, count) -> read.addAll(List.of(from, to, count)));

    assertThat(read).hasSize(6);
    assertThat(read.get(0)).as("the first begins").isLessThan(read.get(1));
    assertThat(read.get(1)).as("the first ends").isEqualTo(read.get(3));
    assertThat(read.get(3)).as("the second begins").isLessThan(read.get(4));
    assertThat(read.get(2)).isEqualTo(2);
    assertThat(read.get(5)).isEqualTo(3);
  }
}
