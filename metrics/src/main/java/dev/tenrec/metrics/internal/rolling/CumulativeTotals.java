// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import org.jspecify.annotations.Nullable;

/**
 * Counts since the beginning, as longs, made of int totals that wrap around: each fold adds what
 * was counted since the last one. Right as long as fewer than 2^32 are counted between two folds.
 *
 * <p>Not thread-safe: its owner's lock orders everything.
 */
public final class CumulativeTotals {

  /** Their low 32 bits are the int totals of the last fold, which therefore need not be kept. */
  private long @Nullable [] folded;

  /** Takes in the int totals of now; always as many of them. */
  public void fold(int[] totals) {
    if (folded == null) {
      folded = new long[totals.length];
    }
    for (int i = 0; i < totals.length; i++) {
      folded[i] += Integer.toUnsignedLong(totals[i] - (int) folded[i]);
    }
  }

  /** What the counter {@code index} had reached at the last fold; 0 before the first one. */
  public long get(int index) {
    return folded == null ? 0 : folded[index];
  }
}
