// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The armed time-outs by deadline. Used by the timer thread alone.
 *
 * <p>Ended ones are swept out when the heap has doubled since the last sweep, so that a sweep costs
 * each arm a constant. Where none is armed any more, they are swept out after so much time that
 * sweeping takes about a hundredth of it.
 */
final class DeadlineHeap {

  /**
   * A sweep looks at a node in a few nanoseconds; a hundred times as long for each until the next.
   */
  private static final long SWEEP_PERIOD_NANOS_PER_NODE = 400;

  private static final int SMALL = 64;

  /** By difference, as readings of a ticker must be compared. */
  private PriorityQueue<Timeout> heap =
      new PriorityQueue<>(SMALL, (a, b) -> Long.signum(a.deadlineNanos() - b.deadlineNanos()));

  private int sizeAfterSweep;
  private int room;
  private long sweptAtNanos;

  /** Written by the timer thread, read by any thread, ordered by volatile access. */
  private volatile int size;

  DeadlineHeap(long nowNanos) {
    this.sweptAtNanos = nowNanos;
  }

  void add(Timeout timeout) {
    heap.add(timeout);
    size = heap.size();
    room = Math.max(room, size);
  }

  /** The next to expire that has not ended; null if there is none. */
  @Nullable Timeout earliest() {
    Timeout first;
    while ((first = heap.peek()) != null && first.isEnded()) {
      remove(first);
    }
    return first;
  }

  /** The next whose deadline has come; it is taken out. Null if there is none. */
  @Nullable Timeout takeDue(long now) {
    Timeout first = earliest();
    if (first == null || now - first.deadlineNanos() < 0) {
      return null;
    }
    remove(first);
    return first;
  }

  void sweepIfDue(long now) {
    boolean grown = heap.size() > SMALL && heap.size() >= 2 * sizeAfterSweep;
    if (grown || now - sweptAtNanos >= heap.size() * SWEEP_PERIOD_NANOS_PER_NODE) {
      boolean unused = heap.removeIf(Timeout::isEnded);
      sizeAfterSweep = heap.size();
      sweptAtNanos = now;
      size = heap.size();
      giveBackRoom();
    }
  }

  int size() {
    return size;
  }

  /** Moves all there are to those of a timer that is closed. Takes no memory. */
  void moveTo(ClosedTimeouts closed) {
    Timeout node;
    while ((node = heap.poll()) != null) {
      closed.add(node);
    }
    size = 0;
  }

  /** A queue never shrinks; a copy is as small as it can be. */
  private void giveBackRoom() {
    if (room > 16 * SMALL && room > 8 * heap.size()) {
      heap = new PriorityQueue<>(heap);
      room = heap.size();
    }
  }

  private void remove(Timeout first) {
    Timeout removed = heap.poll();
    assert removed == first;
    size = heap.size();
  }
}
