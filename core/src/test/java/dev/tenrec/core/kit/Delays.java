// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.kit;

/**
 * Holds up threads at random places of Tenrec's own code, so that what is right by luck of timing
 * only is found. {@link DelayAgent} has it called at the entry and the normal exit of each method.
 *
 * <p>The seed chooses one of eight places as slow for the whole run: a thread is held up there each
 * fourth time. Elsewhere it is held up each thousandth time, and yields as often. A thread is
 * mostly held up for 0.1 to 3.2 ms, short times as often as long ones, and each sixty-fourth time
 * for 20 ms.
 *
 * <p>A thread is held up by yielding until the time is over, not by parking or sleeping: a park
 * would take the permit of an unpark that is meant for Tenrec's next park, and a sleep would clear
 * an interrupt for a moment. Nothing is allocated.
 */
public final class Delays {

  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private static final long LONG_NANOS = 20_000_000;
  private static final long LEAST_NANOS = 100_000;

  /** So much is held up at once, all threads together, before it has to fit into the time. */
  private static final long CREDIT_NANOS = 1_000_000_000;

  /** Written once by the agent, before any class that is held up is there; read by all threads. */
  private static long seed;

  /** Written and read by all threads, in no order: lost steps only draw a lot twice. */
  private static long lots;

  /** As {@link #lots}; a lost delay makes room for another one. */
  private static long spentUntilNanos;

  private Delays() {}

  static void begin(long chosen) {
    seed = chosen;
    lots = chosen;
    spentUntilNanos = System.nanoTime();
  }

  /**
   * A thread passes here.
   *
   * @param place stands for the method, and for its entry or its exit
   */
  public static void at(int place) {
    long lot = mixed(lots += GAMMA);
    boolean slow = (mixed(seed ^ place * GAMMA) & 7) == 0;
    if ((lot & (slow ? 3 : 1023)) == 0) {
      hold(lot >>> 10);
    } else if ((lot & 1023) == 1) {
      Thread.yield();
    }
  }

  /**
   * All threads together are not held up for more than a third of the time: code that is passed a
   * million times gets on.
   */
  private static void hold(long lot) {
    long nanos = (lot & 63) == 0 ? LONG_NANOS : LEAST_NANOS << (lot >>> 6) % 6;
    long now = System.nanoTime();
    long spent = spentUntilNanos;
    if (spent - now > 0) {
      return;
    }
    spentUntilNanos = Math.max(spent - now, -CREDIT_NANOS) + now + 3 * nanos;
    do {
      Thread.yield();
    } while (System.nanoTime() - now < nanos);
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable PRNGs, OOPSLA 2014). */
  private static long mixed(long bits) {
    long mixed = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
