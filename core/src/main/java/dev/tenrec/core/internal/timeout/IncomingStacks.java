// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Nodes on their way to the timer thread. Several stacks, so that arming threads seldom meet; any
 * thread pushes to the one its id leads to, the timer thread takes all of each.
 */
final class IncomingStacks {

  /**
   * Lies in every closed stack for ever: a thread that finds it knows that the stack is drained no
   * more.
   */
  private static final Timeout CLOSED = new ClosedMark();

  /**
   * References between two tops: 128 bytes at the least, so that no two share a cache line or its
   * neighbour.
   */
  private static final int SPACING = 32;

  private final int bits;

  /**
   * Pushed to by arming threads, emptied by the timer thread, closed by the closing thread; each by
   * one compare-and-set.
   */
  private final AtomicReferenceArray<@Nullable Timeout> tops;

  /**
   * @param threads how many threads push at a time; there will be twice as many stacks, 16 at the
   *     most
   */
  IncomingStacks(int threads) {
    int wanted = Math.max(2, Math.min(16, threads * 2));
    bits = 32 - Integer.numberOfLeadingZeros(wanted - 1);
    tops = new AtomicReferenceArray<>((1 << bits) * SPACING + SPACING);
  }

  /** False if closed; then the node is nowhere. */
  boolean push(Timeout node) {
    int index = ownIndex();
    Timeout below = tops.get(index);
    while (below != CLOSED) {
      node.next = below;
      if (tops.compareAndSet(index, below, node)) {
        return true;
      }
      node.next = null;
      below = tops.get(index);
    }
    return false; // nothing was written: it may be among those that the closed timer held
  }

  int count() {
    return 1 << bits;
  }

  /** All nodes of one stack, linked by {@code next}, the latest first; null if there are none. */
  @Nullable Timeout takeAll(int stack) {
    int index = indexOf(stack);
    // looked at before it is written, so that the cache line of an idle stack stays where it is
    Timeout seen = tops.get(index);
    return seen == null || seen == CLOSED ? null : swap(index, null);
  }

  /** As {@link #takeAll}, for the last time: later pushes are refused. */
  @Nullable Timeout close(int stack) {
    return swap(indexOf(stack), CLOSED);
  }

  /** How many have not ended, more or less: the timer thread may be taking them apart meanwhile. */
  int live() {
    int live = 0;
    for (int stack = 0; stack < count(); stack++) {
      for (Timeout node = tops.get(indexOf(stack)); node != null; node = node.next) {
        live += node.isEnded() ? 0 : 1;
      }
    }
    return live;
  }

  private @Nullable Timeout swap(int index, @Nullable Timeout replacement) {
    while (true) {
      Timeout seen = tops.get(index);
      if (seen == CLOSED) {
        return null;
      }
      if (tops.compareAndSet(index, seen, replacement)) {
        return seen;
      }
    }
  }

  /** By a multiplicative hash: thread ids that differ by a power of two would meet under a mask. */
  private int ownIndex() {
    int hash = (int) Thread.currentThread().getId() * 0x9E3779B9;
    return indexOf(hash >>> (32 - bits));
  }

  private static int indexOf(int stack) {
    return (stack + 1) * SPACING;
  }

  private static final class ClosedMark extends Timeout {

    ClosedMark() {
      super(0);
    }

    @Override
    protected boolean isEnded() {
      return true;
    }

    @Override
    protected void expired() {
      throw new AssertionError("the mark of a closed stack is never armed");
    }
  }
}
