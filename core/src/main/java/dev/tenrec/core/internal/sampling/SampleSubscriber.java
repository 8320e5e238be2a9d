// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.sampling;

import dev.tenrec.core.internal.callback.CallbackShare;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One listener, with the few values that wait for it: a slow one misses the oldest, and keeps no
 * thread waiting. It is called on the callback executor, one value after the other. Thread-safe.
 */
public final class SampleSubscriber<T> {

  private final SampleListener<? super T> listener;
  private final Consumer<SampleSubscriber<T>> leaving;
  private final CoalescingTask delivery;
  private final boolean insists;

  private final int capacity;

  /**
   * With room for all that may wait: an {@link ArrayDeque} that finds no memory to grow has the
   * value already, and its order no more. Added to by threads that offer, taken from by the
   * delivery, ordered by its own monitor.
   */
  private final Deque<T> waiting;

  /**
   * Written once by the thread that ends it, read by the delivery, ordered by the state of {@link
   * CoalescingTask}.
   */
  private volatile boolean ended;

  /**
   * Whether the listener receives nothing any more. Written by the delivery, read by threads that
   * offer, ordered by volatile access.
   */
  private volatile boolean over;

  /**
   * There are no values yet.
   *
   * @param listener receives the values and the end
   * @param leaving takes this away; called if the listener throws
   * @param callbacks where it is called
   * @param capacity how many values may wait for it, 1 or more
   * @param insists whether a value waits for a thread where there is none; else it waits for the
   *     next value
   */
  public SampleSubscriber(
      SampleListener<? super T> listener,
      Consumer<SampleSubscriber<T>> leaving,
      CallbackShare callbacks,
      int capacity,
      boolean insists) {
    this.listener = listener;
    this.insists = insists;
    this.capacity = capacity;
    this.waiting = new ArrayDeque<>(capacity);
    this.leaving = leaving;
    this.delivery = new CoalescingTask(this::deliver, callbacks);
  }

  /** Has the listener receive this. If too many wait already, the oldest goes. */
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
    if (insists) {
      delivery.demand();
    } else {
      delivery.ask();
    }
  }

  /** Has the listener receive the end, once, after what was offered before. Takes no memory. */
  public void end() {
    ended = true;
    delivery.demand();
  }

  private void deliver() {
    boolean last = ended; // before the values: what was offered before the end comes before it
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
