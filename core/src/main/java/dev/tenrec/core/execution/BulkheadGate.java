// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.isolation.Permits;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The second gate: so many calls in flight, and no more. A free permit is never refused.
 *
 * @param permits what bounds them; a pool's own, when the work runs on a pool
 * @param own counts this command's calls where the permits are shared with other commands; null
 *     where they are not
 * @param reason what a refusal is called
 * @param name of the pool or semaphore
 * @param closing is told of each call that has left
 */
record BulkheadGate(
    Permits permits,
    @Nullable Permits own,
    CommandRejectedException.Reason reason,
    String name,
    Closing closing) {

  /** {@link Permits#TAKEN}, or what it is refused on: for {@link #refusal}. */
  long enter() {
    long taken = permits.take();
    if (taken == Permits.TAKEN && own != null) {
      own.tryTake(); // without bound: it always succeeds
    }
    return taken;
  }

  /** The work has really stopped. */
  void leave() {
    if (own != null) {
      own.give();
    }
    permits.give();
    closing.left();
  }

  /** Whether at most one call is in it: for who is, the own one. */
  boolean isAlone() {
    return permits.inUse() <= 1;
  }

  EventType rejection() {
    return reason == CommandRejectedException.Reason.THREAD_POOL
        ? EventType.THREAD_POOL_REJECTED
        : EventType.SEMAPHORE_REJECTED;
  }

  CommandRejectedException refusal(String commandKey, Rejected rejected, boolean stackTraces) {
    long figures = rejected.figures();
    return new CommandRejectedException(
        commandKey, reason, name, Permits.limitOf(figures), Permits.inUseOf(figures), stackTraces);
  }
}
