// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.stream;

import org.jspecify.annotations.Nullable;

/**
 * The one place where a subscriber is at an item. The thread that is there may come again before it
 * has left, because asking for an item may bring it before the asking returns; no other thread may.
 * What else there is to report to the subscriber waits until the thread has left.
 *
 * <p>Not thread-safe: guarded by its bridge.
 */
final class EmissionGuard {

  private @Nullable Thread inside;
  private int depth;
  private @Nullable Runnable deferred;

  boolean isTaken() {
    return inside != null;
  }

  boolean isTakenByAnother() {
    return inside != null && inside != Thread.currentThread();
  }

  /** How often this thread has entered and not left. */
  int depthHere() {
    return inside == Thread.currentThread() ? depth : 0;
  }

  /**
   * This thread is back where it had entered so often: what it entered since then was cut off
   * before it could leave, by an overflow of the stack.
   */
  void restore(int depthHere) {
    if (depthHere() > depthHere) {
      depth = depthHere;
      inside = depthHere == 0 ? null : inside;
    }
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

  /**
   * Keeps what is to be done once no thread is there, by the thread that leaves or by one that
   * asks; it takes the place of what was to be done before.
   */
  void defer(Runnable what) {
    deferred = what;
  }

  /** Whether there is something to be done. */
  boolean owes() {
    return deferred != null;
  }

  /** What is to be done now; null while a thread is there. */
  @Nullable Runnable takeDeferred() {
    if (inside != null) {
      return null;
    }
    Runnable taken = deferred;
    deferred = null;
    return taken;
  }
}
