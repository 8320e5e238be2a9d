// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.context;

import dev.tenrec.core.context.RequestLog;
import dev.tenrec.core.context.RequestLog.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one request's commands did, written as each is answered. Plain arrays, so that a cache hit
 * of some ten nanoseconds can be written down without an object for it. Thread-safe.
 */
public final class CommandLog {

  private static final int FIRST_SIZE = 8;

  private final int limit;
  private final AtomicLong dropped = new AtomicLong();

  // guarded by this
  private String[] keys;
  private int[] eventBits;
  private long[] nanos;

  /** Items and fallback items by turns; none before the first stream that had one. */
  private long[] items = {};

  private int size;

  /**
   * Written under the lock when there is no room left, read by writers without it, ordered by
   * volatile access.
   */
  private volatile boolean full;

  /**
   * Nothing is written yet.
   *
   * @param limit how many entries are kept; 0 or more
   */
  public CommandLog(int limit) {
    this.limit = limit;
    int first = Math.min(FIRST_SIZE, limit);
    keys = new String[first];
    eventBits = new int[first];
    nanos = new long[first];
    full = limit == 0;
  }

  /**
   * Writes one answered call down, or counts it as dropped when there is no room.
   *
   * @param commandKey which command
   * @param events bit n is the event of ordinal n
   * @param latencyNanos how long its caller waited
   */
  public void add(String commandKey, int events, long latencyNanos) {
    add(commandKey, events, latencyNanos, 0, 0);
  }

  /**
   * Writes one answered call of a stream down, or counts it as dropped when there is no room.
   *
   * @param commandKey which command
   * @param events bit n is the event of ordinal n
   * @param latencyNanos how long it lasted
   * @param itemCount how many items its source brought
   * @param fallbackItemCount how many its fallback did
   */
  public void add(
      String commandKey, int events, long latencyNanos, long itemCount, long fallbackItemCount) {
    if (full || !write(commandKey, events, latencyNanos, itemCount, fallbackItemCount)) {
      dropped.incrementAndGet();
    }
  }

  private synchronized boolean write(
      String commandKey, int events, long latencyNanos, long itemCount, long fallbackItemCount) {
    int at = size;
    if (at == limit) {
      return false;
    }
    if (at == keys.length) {
      grow((int) Math.min(limit, at * 2L));
    }
    keys[at] = commandKey;
    eventBits[at] = events;
    nanos[at] = latencyNanos;
    if (itemCount + fallbackItemCount > 0) {
      if (items.length <= 2 * at) {
        items = Arrays.copyOf(items, 2 * keys.length);
      }
      items[2 * at] = itemCount;
      items[2 * at + 1] = fallbackItemCount;
    }
    size = at + 1;
    full = size == limit;
    return true;
  }

  // called under the lock
  private void grow(int longer) {
    String[] longerKeys = Arrays.copyOf(keys, longer);
    int[] longerBits = Arrays.copyOf(eventBits, longer);
    long[] longerNanos = Arrays.copyOf(nanos, longer);
    keys = longerKeys; // only now: without memory for one of them all stay as they are
    eventBits = longerBits;
    nanos = longerNanos;
  }

  /** All of it, as it is now. */
  public synchronized RequestLog read() {
    List<Entry> entries = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      boolean counted = 2 * i < items.length;
      entries.add(
          new Entry(
              keys[i],
              eventBits[i],
              nanos[i],
              counted ? items[2 * i] : 0,
              counted ? items[2 * i + 1] : 0));
    }
    return new RequestLog(entries, dropped.get());
  }
}
