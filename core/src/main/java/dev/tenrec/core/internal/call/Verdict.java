// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * What work that threw means for its call: what it counts as, and whether the fallback is asked.
 * There are three but for a predicate that throws, so judging allocates nothing.
 */
final class Verdict {

  private static final Verdict BAD_REQUEST = new Verdict(EventType.BAD_REQUEST, false, null);
  private static final Verdict FAILURE = new Verdict(EventType.FAILURE, true, null);
  private static final Verdict UNRECOVERABLE = new Verdict(EventType.FAILURE, false, null);

  private final EventType event;
  private final boolean asksFallback;

  /** What the user's predicate threw: that is the call's error then. */
  private final @Nullable Throwable predicate;

  private Verdict(EventType event, boolean asksFallback, @Nullable Throwable predicate) {
    this.event = event;
    this.asksFallback = asksFallback;
    this.predicate = predicate;
  }

  /** Calls the user's predicate, once. Throws nothing. */
  static Verdict on(Throwable thrown, Classification classification) {
    try {
      if (classification.isIgnored(thrown)) {
        return BAD_REQUEST;
      }
    } catch (Throwable predicate) {
      return new Verdict(EventType.FAILURE, asksFallback(EventType.FAILURE, predicate), predicate);
    }
    return asksFallback(EventType.FAILURE, thrown) ? FAILURE : UNRECOVERABLE;
  }

  /**
   * Whether an ending asks the fallback, whatever brought it: not if the caller asked wrongly, and
   * not if the JVM is broken.
   */
  static boolean asksFallback(EventType event, Throwable cause) {
    return event != EventType.BAD_REQUEST && !Classification.isUnrecoverable(cause);
  }

  /** FAILURE or BAD_REQUEST. */
  EventType event() {
    return event;
  }

  boolean asksFallback() {
    return asksFallback;
  }

  /** The error of the call. */
  Throwable cause(Throwable thrown) {
    return predicate != null ? predicate : thrown;
  }
}
