// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CumulativeTotalsTest {

  @Test
  void get_beforeAnyFold_isZero() {
    assertThat(new CumulativeTotals().get(3)).isZero();
  }

  @Test
  void fold_totalsThatWrapped_addsTheUnsignedDifference() {
    CumulativeTotals totals = new CumulativeTotals();
    int wrapping = 0;
    long expected = 0;
    for (int i = 0; i < 10; i++) {
      wrapping += 1_500_000_000;
      expected += 1_500_000_000;
      totals.fold(new int[] {0, wrapping});
      assertThat(totals.get(1)).isEqualTo(expected);
    }
    assertThat(totals.get(0)).isZero();
  }

  @Test
  void fold_sameTotalsTwice_addsNothing() {
    CumulativeTotals totals = new CumulativeTotals();
    totals.fold(new int[] {-1});
    totals.fold(new int[] {-1});
    assertThat(totals.get(0)).isEqualTo(4_294_967_295L);
  }
}
