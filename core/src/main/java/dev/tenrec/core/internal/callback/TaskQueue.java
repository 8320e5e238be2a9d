// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.callback;

import org.jspecify.annotations.Nullable;

/**
 * Tasks that wait, in the order they came, linked by {@link CallbackTask#next}: queueing one takes
 * no memory. Not thread-safe: the lock of its {@link CallbackShare} orders everything.
 */
final class TaskQueue {

  private @Nullable CallbackTask first;
  private @Nullable CallbackTask last;
  private int size;

  boolean isEmpty() {
    return first == null;
  }

  int size() {
    return size;
  }

  @Nullable CallbackTask first() {
    return first;
  }

  void add(CallbackTask task) {
    task.next = null; // while closing goes through the queue, a task that has begun keeps it
    CallbackTask before = last;
    last = task;
    if (before == null) {
      first = task;
    } else {
      before.next = task;
    }
    size++;
  }

  /** Takes the first out, which keeps its link to the next; null if there is none. */
  @Nullable CallbackTask take() {
    CallbackTask taken = first;
    if (taken != null) {
      first = taken.next;
      if (first == null) {
        last = null;
      }
      size--;
    }
    return taken;
  }

  /** Takes a task out, wherever it is. False if it is not in the queue. */
  boolean remove(CallbackTask task) {
    CallbackTask before = null;
    CallbackTask at = first;
    while (at != null && at != task) {
      before = at;
      at = at.next;
    }
    if (at == null) {
      return false;
    }
    if (before == null) {
      first = at.next;
    } else {
      before.next = at.next;
    }
    if (last == at) {
      last = before;
    }
    size--;
    return true;
  }
}
