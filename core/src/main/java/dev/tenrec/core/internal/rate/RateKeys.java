// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A word for each key, for a bounded number of keys. A key makes place for another one only when
 * all its permits are there again, so that coming back brings it nothing. Keys that find no place
 * share one word: more keys than the bound are not more permits.
 */
final class RateKeys {

  /** At how many keys one call looks for a place: what a call costs is bounded, too. */
  static final int LOOKS = 64;

  private static final Object NULL = new Object();

  private final RateLimiter limiter;
  private final Map<Object, RateWord> words = new ConcurrentHashMap<>();

  /** For the keys without a place. */
  private final RateLimiter rest;

  /**
   * How many keys have a place. Raised by the thread that adds a key, before; lowered by the thread
   * that retired one, or failed to add one. Ordered by atomic adds.
   */
  private final AtomicInteger places = new AtomicInteger();

  /** Goes round all keys. Written and read under this object's monitor. */
  private Iterator<Map.Entry<Object, RateWord>> hand = Collections.emptyIterator();

  RateKeys(RateLimiter limiter, long nowNanos) {
    this.limiter = limiter;
    this.rest = new RateLimiter(limiter.rate(), 1, nowNanos);
  }

  /** As {@link RateLimiter#take(Object, long)}. */
  long take(@Nullable Object key, long nowNanos) {
    Object own = key == null ? NULL : key;
    while (true) {
      RateWord word = words.get(own);
      if (word == null) {
        word = add(own, nowNanos);
      }
      if (word == null) {
        return rest.take(nowNanos);
      }
      if (word.rate != limiter.rate()) { // the rate is read later, so it is the newer one
        word.freeze(nowNanos);
      }
      long taken = word.take(nowNanos);
      if (taken != RateWord.ENDED) {
        return taken;
      }
      goOnAfter(own, word, nowNanos);
    }
  }

  /** Its key's next word: if it was retired, that is one for which a place has to be found. */
  private void goOnAfter(Object key, RateWord ended, long nowNanos) {
    boolean unused =
        ended.isRetired(nowNanos)
            ? words.remove(key, ended) // as the thread is about to that retired it
            : words.replace(key, ended, ended.successor(limiter.rate(), nowNanos));
  }

  /** Null if there is no place for it. */
  private @Nullable RateWord add(Object key, long nowNanos) {
    if (!findPlace(nowNanos)) {
      return null;
    }
    RateWord made = new RateWord(limiter.rate(), nowNanos);
    RateWord present = made;
    try {
      present = words.putIfAbsent(key, made);
    } finally { // the key's equals is user code
      if (present != null) {
        places.decrementAndGet();
      }
    }
    return present == null ? made : present;
  }

  /** Whether there is a place, which is the caller's to fill or to give back. */
  private boolean findPlace(long nowNanos) {
    int limit = limiter.maxKeys();
    for (int taken = places.get(); taken < limit; taken = places.get()) {
      if (places.compareAndSet(taken, taken + 1)) {
        return true;
      }
    }
    Map.Entry<Object, RateWord> retired = retireOne(nowNanos);
    if (retired == null) {
      return false;
    }
    boolean unused = words.remove(retired.getKey(), retired.getValue());
    if (places.get() <= limit) {
      return true;
    }
    places.decrementAndGet(); // the bound has been lowered
    return false;
  }

  /** No user code runs under the monitor. */
  private synchronized Map.@Nullable Entry<Object, RateWord> retireOne(long nowNanos) {
    for (int look = 0; look < LOOKS; look++) {
      if (!hand.hasNext()) {
        hand = words.entrySet().iterator();
        if (!hand.hasNext()) {
          return null;
        }
      }
      Map.Entry<Object, RateWord> next = hand.next();
      if (next.getValue().retire(nowNanos)) {
        return next;
      }
    }
    return null;
  }

  /** Those of the keys change when the next call comes to them. */
  void change(Rate next, long nowNanos) {
    rest.change(next, 1, nowNanos);
  }

  int size() {
    return words.size();
  }
}
