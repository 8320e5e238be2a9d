// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import org.jspecify.annotations.Nullable;

/**
 * What some counters had reached at past moments: the memory of a rolling window. The counters
 * themselves are never reset; a window's counts are the totals of now less those at the window's
 * start, looked up here by time. So the window's length and its buckets may change at any time
 * without losing a count; only a longer one may, for a while, know no more than is kept.
 *
 * <p>A snapshot holds from its moment to that of the next one. One equal to the last is not stored
 * at all, so a command that was never called keeps nothing, and one that rests nothing but its last
 * totals. Snapshots store their growth, because totals spread over more and more slots as time goes
 * by, while what happens in one bucket does not.
 *
 * <p>Not thread-safe: its owner's lock orders everything.
 */
public final class History {

  private @Nullable Snapshot oldest;
  private @Nullable Snapshot newest;

  /** The totals at the newest snapshot, which may itself be forgotten. */
  private Counts reached = Counts.NONE;

  /**
   * Remembers that the counters stood at {@code totals} from {@code fromNanos} on. When several
   * bucket boundaries have been passed since the last call, this is the first of them: each thread
   * appends before it counts, so nothing was counted in between.
   *
   * @param fromNanos not before the last one; an earlier moment is taken as that of the last one
   * @param totals is read, not kept
   */
  public void append(long fromNanos, int[] totals) {
    int[] grown = totals.clone();
    reached.subtractFrom(grown);
    Counts growth = Counts.of(grown);
    if (growth == Counts.NONE) {
      return;
    }
    reached = Counts.of(totals);
    Snapshot last = newest;
    if (last == null) {
      newest = new Snapshot(fromNanos, growth);
      oldest = newest;
    } else {
      // two threads' readings of the clock may arrive in the other order
      long from = fromNanos - last.fromNanos < 0 ? last.fromNanos : fromNanos;
      newest = new Snapshot(from, growth);
      last.next = newest;
    }
  }

  /**
   * Turns {@code totals}, those of now, into what was counted since {@code startNanos}; to be read
   * as unsigned.
   */
  public void subtractUntil(long startNanos, int[] totals) {
    reached.subtractFrom(totals);
    for (Snapshot s = oldest; s != null; s = s.next) {
      if (s.fromNanos - startNanos > 0) {
        s.growth.addTo(totals);
      }
    }
  }

  /** Forgets what a window that starts at {@code startNanos} or later does not need. */
  public void prune(long startNanos) {
    while (oldest != null && oldest.fromNanos - startNanos <= 0) {
      oldest = oldest.next;
    }
    if (oldest == null) {
      newest = null;
    }
  }

  /** Forgets everything: windows begin with the counters at {@code totals}, which is not kept. */
  public void restart(int[] totals) {
    reached = Counts.of(totals);
    oldest = null;
    newest = null;
  }

  /** How many snapshots are stored. */
  int length() {
    int length = 0;
    for (Snapshot s = oldest; s != null; s = s.next) {
      length++;
    }
    return length;
  }

  /** How many counts the newest snapshot stores. */
  int newestWidth() {
    return newest == null ? 0 : newest.growth.width();
  }
}
