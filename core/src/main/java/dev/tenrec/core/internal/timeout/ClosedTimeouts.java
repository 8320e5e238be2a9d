// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.timeout;

import dev.tenrec.core.internal.timeout.Timer.FailureListener;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What a closed timer held that has not ended and will not expire any more. Linked as it was in the
 * timer, and made with it, so that neither to be collected nor to be ended takes memory here. For
 * the closing thread alone.
 */
public final class ClosedTimeouts implements Iterable<Timeout> {

  private @Nullable Timeout first;

  ClosedTimeouts() {}

  void add(Timeout node) {
    if (node.isEnded()) {
      node.next = null;
    } else {
      node.next = first;
      first = node;
    }
  }

  void addAll(@Nullable Timeout chain) {
    Timeout node = chain;
    while (node != null) {
      Timeout after = node.next;
      add(node);
      node = after;
    }
  }

  /**
   * {@linkplain Timeout#closed Ends} each of them. One that throws stays, to be ended when this is
   * called again; the others are ended all the same.
   *
   * @param failures is notified of each that throws
   * @return whether none is left
   */
  public boolean end(FailureListener failures) {
    Timeout node = first;
    first = null;
    while (node != null) {
      Timeout after = node.next; // now: to arm a node once more takes it out of the chain
      node.next = null;
      try {
        node.closed();
      } catch (Throwable thrown) { // no memory, perhaps
        add(node);
        report(failures, thrown);
      }
      node = after;
    }
    return first == null;
  }

  private static void report(FailureListener failures, Throwable thrown) {
    try {
      failures.failed("closing could not end a call, and tries again", thrown);
    } catch (Throwable again) { // no memory to say so
      return;
    }
  }

  /** Those that are left, in no order. */
  @Override
  public Iterator<Timeout> iterator() {
    return new Iterator<>() {
      private @Nullable Timeout next = first;

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public Timeout next() {
        Timeout node = next;
        if (node == null) {
          throw new NoSuchElementException();
        }
        next = node.next;
        return node;
      }
    };
  }
}
