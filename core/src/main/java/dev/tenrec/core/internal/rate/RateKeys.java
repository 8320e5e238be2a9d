// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.rate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A word for each key, for a bounded number of keys. A key makes place for another one only when
 * all its permits are there again, so that coming back brings it nothing. Keys that find no place
 * share one word: more keys than the bound are not more permits.
 *
 * <p>The keys' {@code hashCode} and {@code equals} are the users', and may block; so they run under
 * no lock, that of a map's bin included. The map goes by hash codes, and each has a chain of which
 * no link ever changes. A thread that has compared its key with a chain replaces it by a longer one
 * only if it is still the same.
 */
final class RateKeys {

  /** At how many keys one call looks for a place: what a call costs is bounded, too. */
  static final int LOOKS = 64;

  private static final Object NULL = new Object();

  private static final VarHandle WORD;

  static {
    try {
      WORD = MethodHandles.lookup().findVarHandle(Place.class, "word", RateWord.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
    // linked now: the JVM takes memory for the first call of each kind on a handle
    RateWord none = new RateWord(new Rate(1, 1, 1), 0);
    boolean unused = WORD.compareAndSet(new Place(NULL, new Hash(0), none), none, none);
  }

  /** What the map compares: a key's hash code alone. */
  private record Hash(int code) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Hash that && code == that.code;
    }

    @Override
    public int hashCode() {
      return code;
    }
  }

  /** One key, and its word at present. */
  private static final class Place {

    private final Object key;
    private final Hash hash;

    /**
     * Set by the thread that adds the place, replaced by compare-and-set by a thread that finds it
     * frozen; read by any.
     */
    private volatile RateWord word;

    private Place(Object key, Hash hash, RateWord word) {
      this.key = key;
      this.hash = hash;
      this.word = word;
    }
  }

  /** The places of one hash code, the newest first. Compared by identity, and never changed. */
  private static final class Chain {

    private final Place place;
    private final @Nullable Chain older;

    private Chain(Place place, @Nullable Chain older) {
      this.place = place;
      this.older = older;
    }

    /** Runs user code. */
    static @Nullable Place find(Object key, @Nullable Chain newest, @Nullable Chain compared) {
      for (Chain at = newest; at != null && at != compared; at = at.older) {
        if (at.place.key == key || key.equals(at.place.key)) {
          return at.place;
        }
      }
      return null;
    }

    static boolean has(Place place, @Nullable Chain newest) {
      for (Chain at = newest; at != null; at = at.older) {
        if (at.place == place) {
          return true;
        }
      }
      return false;
    }

    /** Without this place, which is among them; null if no other is. */
    static @Nullable Chain without(Place gone, Chain newest) {
      Chain at = newest;
      Chain kept = null;
      while (at != null && at.place != gone) {
        kept = new Chain(at.place, kept);
        at = at.older;
      }
      Chain left = at == null ? null : at.older;
      for (; kept != null; kept = kept.older) {
        left = new Chain(kept.place, left);
      }
      return left;
    }
  }

  private final RateLimiter limiter;

  /** Added to and removed from by any thread, by compare-and-set of a whole chain. */
  private final ConcurrentMap<Hash, Chain> chains = new ConcurrentHashMap<>();

  /** For the keys without a place. */
  private final RateLimiter rest;

  /**
   * How many keys have a place. Raised by the thread that adds a key, before; lowered by the thread
   * that removed one, or failed to add one. Ordered by atomic adds.
   */
  private final AtomicInteger places = new AtomicInteger();

  // Both go round all keys. Written and read under this object's monitor.
  private Iterator<Chain> hand = Collections.emptyIterator();
  private @Nullable Chain atHand;

  RateKeys(RateLimiter limiter, long nowNanos) {
    this.limiter = limiter;
    this.rest = new RateLimiter(limiter.rate(), 1, nowNanos);
  }

  /** As {@link RateLimiter#take(Object, long)}. */
  long take(@Nullable Object key, long nowNanos) {
    Object own = key == null ? NULL : key;
    Hash hash = new Hash(own.hashCode());
    while (true) {
      Place place = find(own, hash, nowNanos);
      if (place == null) {
        return rest.take(nowNanos);
      }
      RateWord word = place.word;
      if (word.rate != limiter.rate()) { // the rate is read later, so it is the newer one
        word.freeze(nowNanos);
      }
      long taken = word.take(nowNanos);
      if (taken != RateWord.ENDED) {
        return taken;
      }
      goOnAfter(place, word, nowNanos);
    }
  }

  /** Its key's next word: if it was retired, that is one for which a place has to be found. */
  private void goOnAfter(Place place, RateWord ended, long nowNanos) {
    if (!ended.isRetired(nowNanos)) {
      boolean unused = WORD.compareAndSet(place, ended, ended.successor(limiter.rate(), nowNanos));
    } else if (remove(place)) { // as the thread is about to that retired it
      places.decrementAndGet();
    }
  }

  /** The place of a key, made if there is none; null if there is none to be had. */
  private @Nullable Place find(Object key, Hash hash, long nowNanos) {
    Chain newest = chains.get(hash);
    Place present = Chain.find(key, newest, null);
    return present != null ? present : add(key, hash, newest, nowNanos);
  }

  /**
   * @param compared the chain that the key was compared with, and is not in
   */
  private @Nullable Place add(Object key, Hash hash, @Nullable Chain compared, long nowNanos) {
    if (!findPlace(nowNanos)) {
      return null;
    }
    Place made = null;
    Place present = null;
    try {
      made = new Place(key, hash, new RateWord(limiter.rate(), nowNanos));
      present = putOrFind(made, compared);
    } finally { // the key's equals is user code, and there may be no memory
      if (present != made || made == null) {
        places.decrementAndGet();
      }
    }
    return present;
  }

  /** The place of its key: this one, or one that another thread has brought meanwhile. */
  private Place putOrFind(Place made, @Nullable Chain compared) {
    Chain seen = compared;
    while (true) {
      Chain longer = new Chain(made, seen);
      if (seen == null
          ? chains.putIfAbsent(made.hash, longer) == null
          : chains.replace(made.hash, seen, longer)) {
        return made;
      }
      Chain newest = chains.get(made.hash);
      Place present = Chain.find(made.key, newest, seen);
      if (present != null) {
        return present;
      }
      seen = newest;
    }
  }

  /** Whether there is a place, which is the caller's to fill or to give back. */
  private boolean findPlace(long nowNanos) {
    int limit = limiter.maxKeys();
    for (int taken = places.get(); taken < limit; taken = places.get()) {
      if (places.compareAndSet(taken, taken + 1)) {
        return true;
      }
    }
    if (!removeOne(nowNanos)) {
      return false;
    }
    if (places.get() <= limit) {
      return true; // that of the removed key
    }
    places.decrementAndGet(); // the bound has been lowered
    return false;
  }

  /** Whether this thread has removed it, so that its place is this thread's. No user code runs. */
  private boolean remove(Place place) {
    while (true) {
      Chain newest = chains.get(place.hash);
      if (newest == null || !Chain.has(place, newest)) {
        return false;
      }
      Chain left = Chain.without(place, newest);
      if (left == null
          ? chains.remove(place.hash, newest)
          : chains.replace(place.hash, newest, left)) {
        return true;
      }
    }
  }

  /**
   * Whether a key has made place. One that is retired already was left by a thread that found no
   * memory to remove it; or its own call is removing it, and then the next one is looked at.
   */
  private synchronized boolean removeOne(long nowNanos) {
    for (int look = 0; look < LOOKS; look++) {
      Chain next = atHand;
      if (next == null) {
        if (!hand.hasNext()) {
          hand = chains.values().iterator();
          if (!hand.hasNext()) {
            return false;
          }
        }
        next = hand.next();
      }
      atHand = next.older;
      RateWord word = next.place.word;
      if ((word.retire(nowNanos) || word.isRetired(nowNanos)) && remove(next.place)) {
        return true;
      }
    }
    return false;
  }

  /** Those of the keys change when the next call comes to them. */
  void change(Rate next, long nowNanos) {
    rest.change(next, 1, nowNanos);
  }

  int size() {
    int size = 0;
    for (Chain newest : chains.values()) {
      for (Chain at = newest; at != null; at = at.older) {
        size++;
      }
    }
    return size;
  }
}
