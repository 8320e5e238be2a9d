// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import java.util.Arrays;

/**
 * Some counts, without the zeros before the first and after the last that is not zero; immutable.
 * All modulo 2^32.
 */
final class Counts {

  static final Counts NONE = new Counts(0, new int[0]);

  private final int first;
  private final int[] counts;

  private Counts(int first, int[] counts) {
    this.first = first;
    this.counts = counts;
  }

  /** The counts of {@code all}, which is copied. */
  static Counts of(int[] all) {
    int end = all.length;
    while (end > 0 && all[end - 1] == 0) {
      end--;
    }
    if (end == 0) {
      return NONE;
    }
    int start = 0;
    while (all[start] == 0) {
      start++;
    }
    return new Counts(start, Arrays.copyOfRange(all, start, end));
  }

  void addTo(int[] all) {
    for (int i = 0; i < counts.length; i++) {
      all[first + i] += counts[i];
    }
  }

  void subtractFrom(int[] all) {
    for (int i = 0; i < counts.length; i++) {
      all[first + i] -= counts[i];
    }
  }

  /** How many are stored. */
  int width() {
    return counts.length;
  }
}
