// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Counters that only grow and are never reset, in stripes that keep threads apart. Adding is
 * lock-free, and allocates nothing once the thread's stripe exists; a reader adds the stripes up.
 *
 * <p>The cells are ints and wrap around. A sum is therefore right modulo 2^32, and the difference
 * of two sums, taken as unsigned, is right as long as fewer than 2^32 were counted between them.
 * {@link CumulativeTotals} makes longs of it.
 *
 * <p>A stripe belongs to the threads whose ids hash to it and is allocated at their first write, so
 * what one thread uses costs one stripe. Growing only when a compare-and-set fails was rejected: it
 * does not see two threads that fight for one cache line through different cells, and it made every
 * add dearer.
 */
public final class StripedCounters {

  /**
   * Ints before the first and after the last cell: 64 bytes, so that no cell shares a cache line
   * with another object.
   */
  private static final int PADDING = 16;

  private static final int MAX_STRIPES = 8;

  /**
   * Twice the cores, so that two running threads seldom meet; a power of two, so that the hash
   * needs no remainder.
   */
  static final int STRIPES = stripesFor(Runtime.getRuntime().availableProcessors());

  private static final int HASH_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(STRIPES);

  /**
   * 2^64 divided by the golden ratio: ids that follow each other, as those of a pool do, land far
   * apart (Fibonacci hashing).
   */
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle STRIPE = MethodHandles.arrayElementVarHandle(int[][].class);

  static { // linked now: the JVM takes memory for the first call of each kind on a handle
    StripedCounters none = new StripedCounters(1);
    none.add(0);
    if (none.sum() != 1) {
      throw new AssertionError("a counter that was raised once: " + none.sum());
    }
  }

  private final int size;

  /**
   * Written once, under this object's monitor, with one element at the least; its elements are
   * written once each, under that monitor, by release. Read by any thread, the elements by acquire.
   */
  private volatile int @Nullable [] @Nullable [] stripes;

  /**
   * Counters {@code 0} to {@code size - 1}; nothing else is allocated before the first {@link
   * #add(int)}.
   */
  public StripedCounters(int size) {
    this.size = size;
  }

  /**
   * Adds one to the counter {@code index}. Any thread; never blocks but for a thread's very first
   * add.
   */
  public void add(int index) {
    add(index, 1);
  }

  /**
   * Adds {@code n} to the counter {@code index}. Any thread; never blocks but for a thread's very
   * first add.
   *
   * @param index from 0 to size - 1; not checked, this is the hot path
   * @param n not negative
   */
  public void add(int index, int n) {
    int[][] all = stripes;
    int mine = stripeOf(Thread.currentThread().getId());
    int[] stripe = all == null ? null : (int[]) STRIPE.getAcquire(all, mine);
    if (stripe == null) {
      stripe = allocate(mine);
    }
    CELL.getAndAdd(stripe, PADDING + index, n);
  }

  /**
   * Makes the first stripe, if there is none. No later add fails for want of memory: it uses
   * another thread's stripe.
   */
  public void reserve() {
    if (stripes == null) {
      int[] unused = allocate(stripeOf(Thread.currentThread().getId()));
    }
  }

  /** Adds each counter's sum to {@code totals}, modulo 2^32. */
  public void sumInto(int[] totals) {
    int[][] all = stripes;
    if (all == null) {
      return;
    }
    for (int s = 0; s < all.length; s++) {
      int[] stripe = (int[]) STRIPE.getAcquire(all, s);
      if (stripe != null) {
        for (int i = 0; i < size; i++) {
          // opaque: two reads of one cell never go back in time, so sums only grow
          totals[i] += (int) CELL.getOpaque(stripe, PADDING + i);
        }
      }
    }
  }

  /** The sum of all counters, modulo 2^32. */
  public int sum() {
    int sum = 0;
    int[][] all = stripes;
    if (all == null) {
      return sum;
    }
    for (int s = 0; s < all.length; s++) {
      int[] stripe = (int[]) STRIPE.getAcquire(all, s);
      if (stripe != null) {
        for (int i = 0; i < size; i++) {
          sum += (int) CELL.getOpaque(stripe, PADDING + i);
        }
      }
    }
    return sum;
  }

  /** How many counters there are. */
  public int size() {
    return size;
  }

  /** Whether nothing was ever added. */
  public boolean isUntouched() {
    return stripes == null;
  }

  /** How many stripes have been allocated. */
  int allocatedStripes() {
    int[][] all = stripes;
    int allocated = 0;
    for (int s = 0; all != null && s < all.length; s++) {
      allocated += STRIPE.getAcquire(all, s) == null ? 0 : 1;
    }
    return allocated;
  }

  static int stripeOf(long threadId) {
    return (int) (threadId * GOLDEN >>> HASH_SHIFT);
  }

  static int stripesFor(int cores) {
    int twice = Math.min(2 * cores, MAX_STRIPES);
    return Integer.highestOneBit(2 * twice - 1);
  }

  private synchronized int[] allocate(int mine) {
    int[][] present = stripes;
    int[][] all = present == null ? new int[STRIPES][] : present;
    int[] stripe = all[mine];
    if (stripe == null) {
      try {
        stripe = new int[size + 2 * PADDING];
      } catch (OutOfMemoryError e) { // no count may be lost: another thread's stripe will do
        return anyOf(all, e);
      }
      STRIPE.setRelease(all, mine, stripe);
    }
    if (present == null) {
      stripes = all; // with a stripe, so that no later add fails for want of memory
    }
    return stripe;
  }

  private static int[] anyOf(int[][] all, OutOfMemoryError none) {
    for (int[] stripe : all) {
      if (stripe != null) {
        return stripe;
      }
    }
    throw none;
  }
}
