// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many calls begin: all together, or by key. It reads no clock and keeps no thread; a
 * permit that was taken never comes back but by time. Thread-safe.
 */
public final class RateLimiter {

  /** In the place of time: a permit was taken. */
  public static final long TAKEN = RateWord.TAKEN;

  private static final AtomicReferenceFieldUpdater<RateLimiter, RateWord> WORD =
      AtomicReferenceFieldUpdater.newUpdater(RateLimiter.class, RateWord.class, "word");

  /** Of calls without a key. Replaced by compare-and-set once it is frozen, read by any thread. */
  private volatile RateWord word;

  /** Written under this object's monitor, before a word is frozen for it; read by any thread. */
  private volatile Rate rate;

  /** Written under this object's monitor, read by any thread. */
  private volatile int maxKeys;

  /** Made by the first call with a key. Written under this object's monitor, read by any thread. */
  private volatile @Nullable RateKeys keys;

  /** All permits are there. */
  public RateLimiter(Rate rate, int maxKeys, long nowNanos) {
    this.word = new RateWord(rate, nowNanos);
    this.rate = rate;
    this.maxKeys = maxKeys;
  }

  /**
   * Takes a permit of those that calls without a key share.
   *
   * @return {@link #TAKEN}, or the nanoseconds from {@code nowNanos} to the next permit
   */
  public long take(long nowNanos) {
    while (true) {
      RateWord present = word;
      long taken = present.take(nowNanos);
      if (taken != RateWord.ENDED) {
        return taken;
      }
      goOnAfter(present, nowNanos); // as the thread is about to that froze it
    }
  }

  /**
   * Takes a permit of this key. Throws what the key's {@code equals} and {@code hashCode} throw.
   *
   * @param key null is a key as any other
   * @return {@link #TAKEN}, or the nanoseconds from {@code nowNanos} to the next permit
   */
  public long take(@Nullable Object key, long nowNanos) {
    RateKeys present = keys;
    return (present != null ? present : makeKeys(nowNanos)).take(key, nowNanos);
  }

  /** Goes by another rate from now on. As many permits are spent as before, for each key. */
  public synchronized void change(Rate next, int maxKeys, long nowNanos) {
    this.maxKeys = maxKeys;
    if (rate.isAs(next)) {
      return;
    }
    rate = next;
    RateWord before = word;
    before.freeze(nowNanos);
    goOnAfter(before, nowNanos);
    RateKeys present = keys;
    if (present != null) {
      present.change(next, nowNanos);
    }
  }

  private void goOnAfter(RateWord frozen, long nowNanos) {
    boolean unused = WORD.compareAndSet(this, frozen, frozen.successor(rate, nowNanos));
  }

  /** The rate in force. */
  public Rate rate() {
    return rate;
  }

  int maxKeys() {
    return maxKeys;
  }

  /** How many calls without a key could begin now. */
  public int left(long nowNanos) {
    return word.left(nowNanos);
  }

  /** How many keys have a rate of their own now. */
  public int keyCount() {
    RateKeys present = keys;
    return present == null ? 0 : present.size();
  }

  private synchronized RateKeys makeKeys(long nowNanos) {
    RateKeys present = keys;
    if (present == null) {
      keys = present = new RateKeys(this, nowNanos);
    }
    return present;
  }
}
