package dev.tenrec.metrics.rolling;

import org.jspecify.annotations.Nullable;

/**
 * What some counters had reached at past moments: the memory of a rolling window. The counters themselves are never reset; a window's
 * counts are the totals of now less those at the window's start, looked up here by time. So the window's length and its buckets may
 * change at any time without losing a count; only a longer one may, for a while, know no more than is kept.
 *
 * <p>A snapshot holds from its moment to that of the next one. One equal to the last is not stored at all, so a command that rests
 * keeps a single snapshot, and one that was never called keeps none: before the first snapshot everything is zero.
 *
 * <p>Not thread-safe: its owner's lock orders everything.
 */
public final class History {

  private @Nullable Snapshot oldest;
  private @Nullable Snapshot newest;

  /** Something was dropped: what came before the oldest snapshot is not known to be zero any more. */
  private boolean pruned;

  /**
   * Remembers that the counters stood at {@code totals} from {@code fromNanos} on. When several bucket boundaries have been passed since
   * the last call, this is the first of them: everybody appends before counting, so nothing was counted in between.
   *
   * @param fromNanos not before the last one; an earlier moment is taken as that of the last one
   * @param totals is read, not kept
   */
  public void append(long fromNanos, int[] totals) {
    Snapshot last = newest;
    if (last == null) {
      if (!Snapshot.isZero(totals, 0, totals.length)) {
        oldest = new Snapshot(fromNanos, totals);
        newest = oldest;
      }
    } else if (!last.matches(totals)) {
      // two threads' readings of the clock may arrive in the other order
      long from = fromNanos - last.fromNanos < 0 ? last.fromNanos : fromNanos;
      Snapshot added = new Snapshot(from, totals);
      last.next = added;
      newest = added;
    }
  }

  /** Turns {@code totals}, those of now, into what was counted since {@code startNanos}; to be read as unsigned. */
  public void subtractUntil(long startNanos, int[] totals) {
    Snapshot found = pruned ? oldest : null;
    for (Snapshot s = oldest; s != null && s.fromNanos - startNanos <= 0; s = s.next) {
      found = s;
    }
    if (found != null) {
      found.subtractFrom(totals);
    }
  }

  /** Forgets what a window that starts at {@code startNanos} or later does not need. */
  public void prune(long startNanos) {
    while (oldest != null && oldest.next != null && oldest.next.fromNanos - startNanos <= 0) {
      oldest = oldest.next;
      pruned = true;
    }
  }

  /** How many snapshots are stored. */
  int length() {
    int length = 0;
    for (Snapshot s = oldest; s != null; s = s.next) {
      length++;
    }
    return length;
  }

  /** How many totals the newest snapshot stores. */
  int newestWidth() {
    return newest == null ? 0 : newest.width();
  }
}
