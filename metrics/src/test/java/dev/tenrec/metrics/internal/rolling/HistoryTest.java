// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HistoryTest {

  private final History history = new History();

  @Test
  void subtractUntil_withoutSnapshot_leavesTheTotals() {
    assertThat(since(100, 3, 4)).containsExactly(3, 4);
  }

  @Test
  void append_zerosFirst_storesNothing() {
    history.append(10, new int[3]);
    assertThat(history.length()).isZero();
  }

  @Test
  void append_equalTotals_keepsTheFirstSnapshotForBothMoments() {
    history.append(10, new int[] {1, 2});
    history.append(20, new int[] {1, 2});
    assertThat(history.length()).isEqualTo(1);
    assertThat(since(10, 5, 5)).containsExactly(4, 3);
    assertThat(since(25, 5, 5)).containsExactly(4, 3);
  }

  @Test
  void append_totalsThatMovedBesideTheStoredRange_storesAnother() {
    history.append(10, new int[] {0, 2, 0});
    history.append(20, new int[] {0, 2, 1});
    history.append(30, new int[] {1, 2, 1});
    assertThat(history.length()).isEqualTo(3);
    assertThat(since(20, 1, 2, 1)).containsExactly(1, 0, 0);
  }

  @Test
  void append_zerosAround_areNotStored() {
    int[] totals = new int[832];
    totals[400] = 7;
    totals[403] = 1;
    history.append(10, totals);
    assertThat(history.newestWidth()).isEqualTo(4);
  }

  @Test
  void subtractUntil_startBeforeTheFirstSnapshot_subtractsNothing() {
    history.append(10, new int[] {5});
    assertThat(since(9, 8)).containsExactly(8);
  }

  @Test
  void subtractUntil_startBetweenSnapshots_takesTheEarlier() {
    history.append(10, new int[] {5});
    history.append(20, new int[] {6});
    assertThat(since(19, 8)).containsExactly(3);
    assertThat(since(20, 8)).containsExactly(2);
  }

  @Test
  void subtractUntil_totalsThatWrapped_isRight() {
    history.append(10, new int[] {Integer.MAX_VALUE - 1});
    assertThat(since(10, Integer.MIN_VALUE + 1)).containsExactly(3);
  }

  @Test
  void subtractUntil_clockThatWrapped_isRight() {
    history.append(Long.MAX_VALUE - 5, new int[] {1});
    history.append(Long.MIN_VALUE + 5, new int[] {2});
    assertThat(since(Long.MAX_VALUE, 9)).containsExactly(8);
    assertThat(since(Long.MIN_VALUE + 6, 9)).containsExactly(7);
  }

  @Test
  void prune_snapshotsTheWindowDoesNotNeed_areForgotten() {
    history.append(10, new int[] {1});
    history.append(20, new int[] {2});
    history.append(30, new int[] {3});
    history.prune(25);
    assertThat(history.length()).isEqualTo(1);
    assertThat(since(25, 9)).containsExactly(7);
    assertThat(since(30, 9)).containsExactly(6);
  }

  @Test
  void prune_all_keepsTheTotalsToGrowFrom() {
    history.append(10, new int[] {1});
    history.prune(10);
    assertThat(history.length()).isZero();
    assertThat(since(10, 9)).containsExactly(8);
    history.append(20, new int[] {4});
    assertThat(since(10, 9)).containsExactly(8);
    assertThat(since(20, 9)).containsExactly(5);
  }

  @Test
  void append_afterAnOutlierOfOld_storesItsOwnRangeOnly() {
    history.append(10, new int[] {1, 0, 0, 0, 0, 9});
    history.append(20, new int[] {1, 0, 3, 0, 0, 9});
    assertThat(history.newestWidth()).isEqualTo(1);
    assertThat(since(10, 1, 0, 3, 0, 0, 9)).containsExactly(0, 0, 3, 0, 0, 0);
  }

  @Test
  void subtractUntil_startThatWasForgotten_takesTheOldestKept() {
    history.append(10, new int[] {1});
    history.append(20, new int[] {2});
    history.prune(20);
    assertThat(since(5, 9)).containsExactly(7);
  }

  @Test
  void append_momentBeforeTheLast_isTakenAsTheLast() {
    history.append(20, new int[] {2});
    history.append(15, new int[] {3});
    assertThat(since(20, 9)).containsExactly(6);
    assertThat(since(19, 9)).containsExactly(9);
  }

  private int[] since(long startNanos, int... totals) {
    history.subtractUntil(startNanos, totals);
    return totals;
  }
}
