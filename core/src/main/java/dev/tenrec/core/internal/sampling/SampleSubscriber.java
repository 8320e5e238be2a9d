// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sampling;

import dev.tenrec.core.internal.callback.CallbackShare;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One listener, with the few values that wait for it: a slow one misses the oldest, and keeps
 * nobody waiting. It is told on the callback executor, one value after the other. Thread-safe.
 */
public final class SampleSubscriber<T> {

  private final SampleListener<? super T> listener;
  private final Consumer<SampleSubscriber<T>> leaving;
  private final CoalescingTask delivery;

  private final int capacity;

  /** Put there by who offers, taken by the delivery. Under its own monitor. */
  private final Deque<T> waiting = new ArrayDeque<>(1);

  /** Set once by who ends it, read by the delivery, which the errand orders. */
  private volatile boolean ended;

  /** Whether the listener is told nothing any more. Written by the delivery, read by who offers. */
  private volatile boolean over;

  /**
   * Nothing to tell yet.
   *
   * @param listener is told
   * @param leaving takes this away; called if the listener throws
   * @param callbacks where it is told
   * @param capacity how many values may wait for it, 1 or more
   */
  public SampleSubscriber(
      SampleListener<? super T> listener,
      Consumer<SampleSubscriber<T>> leaving,
      CallbackShare callbacks,
      int capacity) {
    this.listener = listener;
    this.capacity = capacity;
    this.leaving = leaving;
    this.delivery = new CoalescingTask(this::deliver, callbacks);
  }

  /** To be told of this. If too many wait already, the oldest goes. */
  public void offer(T value) {
    if (over) {
      return;
    }
    synchronized (waiting) {
      if (waiting.size() == capacity) {
        waiting.removeFirst();
      }
      waiting.addLast(value);
    }
    delivery.ask();
  }

  /** To be told that there will be no more, after what was offered before. */
  public void end() {
    ended = true;
    delivery.demand();
  }

  private void deliver() {
    boolean last = ended; // before the values: what was offered before the end is told before it
    boolean threw = true;
    try {
      for (T value = next(); value != null && !over; value = next()) {
        listener.sampled(value);
      }
      threw = false;
    } finally {
      if (threw) {
        over = true;
        leaving.accept(this);
      }
    }
    if (last && !over) {
      over = true;
      listener.ended();
    }
  }

  private @Nullable T next() {
    synchronized (waiting) {
      return waiting.pollFirst();
    }
  }
}
