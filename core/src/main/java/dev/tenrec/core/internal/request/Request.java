// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.request;

import dev.tenrec.core.internal.cache.RequestCache;
import dev.tenrec.core.internal.context.CommandLog;
import dev.tenrec.core.internal.context.Variables;
import org.jspecify.annotations.Nullable;

/**
 * One request, as threads are bound to it. Threads may keep it longer than it is open, so all it
 * has goes with its end, and what is left says only that it is closed.
 */
public final class Request {

  /** What an open request has. */
  public record Parts(Variables variables, RequestCache cache, CommandLog log, long openedNanos) {}

  /**
   * The request it hides on the thread that opened it; only that thread may go back to the hidden
   * one.
   */
  final @Nullable Request outer;

  /** The deadline that the thread was at which opened it; {@code Deadlines.NONE} if it had none. */
  final long deadlineNanos;

  private final long openerId = Thread.currentThread().getId();

  /** How many wrapped tasks its opener is in. Written and read by that thread alone. */
  int entered;

  /**
   * Written by the thread that opens it, set to null once by the thread that closes it; read by any
   * thread.
   */
  private volatile @Nullable Parts parts;

  Request(@Nullable Request outer, Parts parts, long deadlineNanos) {
    this.outer = outer;
    this.deadlineNanos = deadlineNanos;
    this.parts = parts;
  }

  boolean isOpenedHere() {
    return openerId == Thread.currentThread().getId();
  }

  /** Null once closed. */
  @Nullable Parts parts() {
    return parts;
  }

  /** Takes the parts away; null for all but the first to ask. */
  synchronized @Nullable Parts end() {
    Parts present = parts;
    parts = null;
    return present;
  }

  /** What its commands did; null once closed. */
  public @Nullable CommandLog log() {
    Parts present = parts;
    return present == null ? null : present.log();
  }

  /** Whether it has been closed. */
  public boolean isClosed() {
    return parts == null;
  }
}
