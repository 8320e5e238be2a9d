// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.cache;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run and its sharers: which of them wait, and what came of it. A run that all sharers left
 * before its end is dropped: none can join it any more, and it has no result. Thread-safe.
 *
 * @param <T> what the run ends with; not null
 */
public class SharedRun<T> {

  /** Null once ended or dropped. Guarded by this. */
  private @Nullable List<Sharer<? super T>> sharers = new ArrayList<>(2);

  /** How many are taken out to be notified just now. Guarded by this. */
  private int notifying;

  /**
   * Written once by the ending thread, under the lock; read by any thread, ordered by volatile
   * access.
   */
  private volatile @Nullable T result;

  /**
   * Takes part, until the end or {@link #leave}. The thread that makes a run joins it first, before
   * another thread knows it.
   *
   * @return false if the run has its {@link #result}, or was dropped
   */
  public final synchronized boolean join(Sharer<? super T> sharer) {
    List<Sharer<? super T>> present = sharers;
    return present != null && result == null && present.add(sharer);
  }

  /**
   * Takes part no longer; does nothing for one that does not take part.
   *
   * @return whether it was the last one, and the run is dropped by that
   */
  public final synchronized boolean leave(Sharer<? super T> sharer) {
    List<Sharer<? super T>> present = sharers;
    if (present == null || !present.remove(sharer) || !present.isEmpty() || result != null) {
      return false;
    }
    sharers = null;
    return true;
  }

  /**
   * The run has ended: all that take part are notified, on this thread. Nothing if it was dropped.
   * A sharer must not run user code then: it would hold up the others.
   *
   * @return false if some could not be notified, for want of memory or stack, or another thread is
   *     at it still: to be called again
   */
  public final boolean end(T ended) {
    int left;
    synchronized (this) {
      if (sharers == null) {
        return true;
      }
      if (result == null) {
        result = ended;
      }
      left = sharers.size();
    }
    for (; left > 0; left--) {
      notifyOne(takeFirst());
    }
    return areAllNotified();
  }

  private void notifyOne(@Nullable Sharer<? super T> sharer) {
    T known = result;
    if (sharer == null || known == null) {
      return;
    }
    boolean done;
    try {
      sharer.ended(known);
      done = true;
    } catch (Throwable thrown) { // the others get theirs; this one when it is tried again
      done = false;
    }
    notified(sharer, done);
  }

  private synchronized @Nullable Sharer<? super T> takeFirst() {
    List<Sharer<? super T>> present = sharers;
    if (present == null || present.isEmpty()) {
      return null;
    }
    notifying++;
    return present.remove(0);
  }

  private synchronized void notified(Sharer<? super T> sharer, boolean done) {
    notifying--;
    List<Sharer<? super T>> present = sharers;
    if (!done && present != null) {
      boolean unused = present.add(sharer); // there is room: it was there before
    }
  }

  private synchronized boolean areAllNotified() {
    List<Sharer<? super T>> present = sharers;
    return notifying == 0 && (present == null || present.isEmpty());
  }

  /** What it ended with; null before that, and for ever if it was dropped. */
  public final @Nullable T result() {
    return result;
  }
}
