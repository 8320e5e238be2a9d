// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import org.jspecify.annotations.Nullable;

/**
 * The one place where a subscriber is at an item. The thread that is there may come again before it
 * has left, because asking for an item may bring it before the asking returns; no other may. What
 * else there is to tell the subscriber waits until it has left.
 *
 * <p>Not thread-safe: guarded by its relay.
 */
final class Passage {

  private @Nullable Thread inside;
  private int depth;
  private @Nullable Runnable deferred;

  boolean isTaken() {
    return inside != null;
  }

  boolean isTakenByAnother() {
    return inside != null && inside != Thread.currentThread();
  }

  void enter() {
    inside = Thread.currentThread();
    depth++;
  }

  /** False if this thread is still there. */
  boolean leave() {
    if (--depth > 0) {
      return false;
    }
    inside = null;
    return true;
  }

  /** Has something done by who leaves; it takes the place of what was to be done before. */
  void defer(Runnable what) {
    deferred = what;
  }

  /** By who has left: what it has to do. */
  @Nullable Runnable takeDeferred() {
    Runnable taken = deferred;
    deferred = null;
    return taken;
  }
}
