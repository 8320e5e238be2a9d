// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The runs of one request, by what was run and by the key it was run with: one table for both, so
 * that a look is one step and allocates nothing. Thread-safe.
 *
 * <p>The keys' {@code hashCode} and {@code equals} are the users', and may block; so no lock is
 * held over them. What lies in a place of the table is a chain that grows at its head and of which
 * no entry ever changes. A thread that has compared its key with a chain needs to know, under the
 * lock, only whether that is still the one that lies there.
 */
public final class RequestCache {

  private static final int FIRST_ROOM = 16;
  private static final int MOST_ROOM = 1 << 30;

  private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Entry[].class);

  static { // linked now: the JVM takes memory for the first call of each kind on a handle
    @Nullable Entry[] none = new Entry[1];
    PLACE.setRelease(none, 0, (Entry) PLACE.getAcquire(none, 0));
  }

  /**
   * Null until the first run. Written under the lock, its places by release; read by any thread,
   * its places by acquire. A table that was replaced is not written to any more.
   */
  private volatile @Nullable Entry @Nullable [] table;

  /** How many runs there are. Under the lock. */
  private int size;

  /** One run, and those of the same place that came before it. */
  private static final class Entry {
    private final Object owner;
    private final Object key;
    private final int hash;
    private final SharedRun<?> run;
    private final @Nullable Entry older;

    private Entry(Object owner, Object key, int hash, SharedRun<?> run, @Nullable Entry older) {
      this.owner = owner;
      this.key = key;
      this.hash = hash;
      this.run = run;
      this.older = older;
    }

    private Entry before(@Nullable Entry olderOnes) {
      return olderOnes == older ? this : new Entry(owner, key, hash, run, olderOnes);
    }
  }

  /**
   * The run there is, or null.
   *
   * @param owner what is run, compared by identity
   * @param key compared by equals
   */
  public @Nullable SharedRun<?> find(Object owner, Object key) {
    int hash = hash(owner, key);
    Entry found = find(owner, key, hash, newest(table, hash), null);
    return found == null ? null : found.run;
  }

  /** Puts a run where there is none. False if there is one. */
  public boolean putIfAbsent(Object owner, Object key, SharedRun<?> run) {
    int hash = hash(owner, key);
    Entry compared = null;
    while (true) { // again if another run came into its place meanwhile
      Entry newest = newest(table, hash);
      if (find(owner, key, hash, newest, compared) != null) {
        return false;
      }
      if (add(owner, key, hash, run, newest)) {
        return true;
      }
      compared = newest;
    }
  }

  /** Takes out this very run, if it is there. */
  public void remove(Object owner, Object key, SharedRun<?> run) {
    int hash = hash(owner, key);
    Entry entry = newest(table, hash);
    while (entry != null && entry.run != run) {
      entry = entry.older;
    }
    if (entry != null) {
      remove(run, hash);
    }
  }

  /** Takes out whatever is there; those that share it go on sharing it. */
  public void clear(Object owner, Object key) {
    int hash = hash(owner, key);
    Entry found = find(owner, key, hash, newest(table, hash), null);
    if (found != null) {
      remove(found.run, hash);
    }
  }

  /** Runs user code. */
  private static int hash(Object owner, Object key) {
    int hash = 31 * key.hashCode() + System.identityHashCode(owner);
    return hash ^ hash >>> 16; // the table goes by the lower bits
  }

  private static @Nullable Entry newest(@Nullable Entry @Nullable [] places, int hash) {
    return places == null ? null : (Entry) PLACE.getAcquire(places, hash & places.length - 1);
  }

  /**
   * The entry of an equal key in a chain. Runs user code, and needs no lock.
   *
   * @param newest where the chain begins
   * @param compared this entry and older ones were compared before; null for none
   */
  private static @Nullable Entry find(
      Object owner, Object key, int hash, @Nullable Entry newest, @Nullable Entry compared) {
    Entry entry = newest;
    while (entry != null && entry != compared) {
      if (entry.hash == hash
          && entry.owner == owner
          && (entry.key == key || key.equals(entry.key))) {
        return entry;
      }
      entry = entry.older;
    }
    return null;
  }

  /** False if what lies in its place is not what the key was compared with. */
  private synchronized boolean add(
      Object owner, Object key, int hash, SharedRun<?> run, @Nullable Entry compared) {
    @Nullable Entry[] places = table;
    if (newest(places, hash) != compared) {
      return false;
    }
    Entry added = new Entry(owner, key, hash, run, compared);
    if (places == null) {
      places = new Entry[FIRST_ROOM];
      table = places;
    } else if (size >= places.length - places.length / 4) {
      places = grown(places);
      added = added.before(newest(places, hash));
    }
    PLACE.setRelease(places, hash & places.length - 1, added);
    size++;
    return true;
  }

  /** The table from now on. Without memory for another one it stays as it is, and gets fuller. */
  private @Nullable Entry[] grown(@Nullable Entry[] places) {
    if (places.length >= MOST_ROOM) {
      return places;
    }
    try {
      @Nullable Entry[] larger = new Entry[places.length * 2];
      for (Entry newest : places) {
        for (Entry entry = newest; entry != null; entry = entry.older) {
          int place = entry.hash & larger.length - 1;
          larger[place] = entry.before(larger[place]);
        }
      }
      table = larger;
      return larger;
    } catch (OutOfMemoryError e) {
      return places;
    }
  }

  private synchronized void remove(SharedRun<?> run, int hash) {
    Entry newest = newest(table, hash);
    Entry gone = newest;
    while (gone != null && gone.run != run) {
      gone = gone.older;
    }
    if (gone == null) {
      return; // another thread was faster
    }
    Entry left = gone.older;
    for (Entry entry = newest; entry != null && entry != gone; entry = entry.older) {
      left = entry.before(left);
    }
    @Nullable Entry[] places = table;
    if (places != null) {
      PLACE.setRelease(places, hash & places.length - 1, left);
      size--;
    }
  }
}
