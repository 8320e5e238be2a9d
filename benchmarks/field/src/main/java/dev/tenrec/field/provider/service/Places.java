// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider.service;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** So many at once; the others wait, first come, first served. Thread-safe, by its lock. */
final class Places {

  private final int limit;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int used;
  private int mostPresent;
  private long entered;

  Places(int limit) {
    this.limit = limit;
  }

  /** Begins it now, or when there is a place: on this thread, or on that of one who leaves. */
  void enter(Runnable begin) {
    synchronized (this) {
      entered++;
      mostPresent = Math.max(mostPresent, used + waiting.size() + 1);
      if (used == limit) {
        waiting.addLast(begin);
        return;
      }
      used++;
    }
    begin.run();
  }

  /** To be notified when one that has begun is done. */
  void leave() {
    Runnable next = next();
    if (next != null) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = waiting.pollFirst();
    if (next == null) {
      used--;
    }
    return next;
  }

  synchronized long entered() {
    return entered;
  }

  /** The most that were there at once since this was last asked, at work or waiting. */
  synchronized int takeMostPresent() {
    int most = mostPresent;
    mostPresent = used + waiting.size();
    return most;
  }
}
