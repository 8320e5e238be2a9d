// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.cache;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run and those that share it: who waits, who has left, and what came of it. A run that
 * everybody left before its end is dropped: nobody can join it any more, and it has no result.
 * Thread-safe.
 *
 * @param <T> what the run ends with; not null
 */
public class SharedRun<T> {

  /** Null once ended or dropped. Guarded by this. */
  private @Nullable List<Sharer<? super T>> sharers = new ArrayList<>(2);

  /** Written once, under the lock, by who ends the run; read by all. */
  private volatile @Nullable T result;

  /**
   * Takes part, until the end or {@link #leave}. Who makes a run joins it first, before anybody
   * else knows it.
   *
   * @return false if the run has its {@link #result}, or was dropped
   */
  public final synchronized boolean join(Sharer<? super T> sharer) {
    List<Sharer<? super T>> present = sharers;
    return present != null && present.add(sharer);
  }

  /**
   * Takes part no longer; does nothing for who does not take part.
   *
   * @return whether it was the last one, and the run is dropped by that
   */
  public final synchronized boolean leave(Sharer<? super T> sharer) {
    List<Sharer<? super T>> present = sharers;
    if (present == null || !present.remove(sharer) || !present.isEmpty()) {
      return false;
    }
    sharers = null;
    return true;
  }

  /**
   * The run has ended: all that take part are notified, on this thread. Nothing if it was dropped.
   * A sharer must not run user code then: it would hold up the others.
   */
  public final void end(T ended) {
    List<Sharer<? super T>> told;
    synchronized (this) {
      told = sharers;
      if (told == null) {
        return;
      }
      sharers = null;
      result = ended;
    }
    told.forEach(sharer -> sharer.ended(ended));
  }

  /** What it ended with; null before that, and for ever if it was dropped. */
  public final @Nullable T result() {
    return result;
  }
}
