package dev.tenrec.metrics.rolling;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What some counters had reached at a moment, without the zeros before the first and after the last of those that had moved. */
final class Snapshot {

  private static final int[] NOTHING = {};

  final long fromNanos;
  private final int first;
  private final int[] totals;

  /** The one taken after this. */
  @Nullable Snapshot next;

  Snapshot(long fromNanos, int[] all) {
    this.fromNanos = fromNanos;
    int end = all.length;
    while (end > 0 && all[end - 1] == 0) {
      end--;
    }
    int start = 0;
    while (start < end && all[start] == 0) {
      start++;
    }
    this.first = start;
    this.totals = end == 0 ? NOTHING : Arrays.copyOfRange(all, start, end);
  }

  /** Takes this snapshot's totals off {@code all}, modulo 2^32. */
  void subtractFrom(int[] all) {
    for (int i = 0; i < totals.length; i++) {
      all[first + i] -= totals[i];
    }
  }

  /** Whether nothing was counted from this snapshot to {@code all}. */
  boolean matches(int[] all) {
    int last = first + totals.length;
    return Arrays.equals(all, first, last, totals, 0, totals.length) && isZero(all, 0, first) && isZero(all, last, all.length);
  }

  static boolean isZero(int[] all, int from, int to) {
    for (int i = from; i < to; i++) {
      if (all[i] != 0) {
        return false;
      }
    }
    return true;
  }

  /** How many totals are stored. */
  int width() {
    return totals.length;
  }
}
