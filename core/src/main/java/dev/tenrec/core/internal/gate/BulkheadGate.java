// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.internal.launch.InFlightMonitor;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The third gate: so many calls in flight, and no more. A free permit is never refused.
 *
 * @param permits what bounds them; a pool's own, when the work runs on a pool
 * @param own counts this command's calls where the permits are shared with other commands; null
 *     where they are not
 * @param reason what a refusal is called
 * @param name of the pool or semaphore
 * @param closing is notified of each call that has left
 */
public record BulkheadGate(
    Permits permits,
    @Nullable Permits own,
    CommandRejectedException.Reason reason,
    String name,
    InFlightMonitor closing) {

  /** {@link Permits#TAKEN}, or what it is refused on: for {@link #refusal}. */
  public long enter() {
    long taken = permits.take();
    if (taken == Permits.TAKEN && own != null) {
      try {
        own.tryTake(); // without bound: it always succeeds, if there is memory for its cells
      } catch (Throwable noMemory) {
        permits.give();
        throw noMemory;
      }
    }
    return taken;
  }

  /** The work has really stopped. */
  public void leave() {
    if (own != null) {
      own.give();
    }
    permits.give();
    closing.left();
  }

  /** How many calls may be in it. */
  public int limit() {
    return permits.limit();
  }

  /** Whether at most one call is in it, which is the asking call if that is inside. */
  public boolean isAlone() {
    return permits.inUse() <= 1;
  }

  public EventType rejection() {
    return reason == CommandRejectedException.Reason.THREAD_POOL
        ? EventType.THREAD_POOL_REJECTED
        : EventType.SEMAPHORE_REJECTED;
  }

  public CommandRejectedException refusal(
      String commandKey, RejectedByBulkhead rejected, boolean stackTraces) {
    long figures = rejected.figures();
    return new CommandRejectedException(
        commandKey, reason, name, Permits.limitOf(figures), Permits.inUseOf(figures), stackTraces);
  }
}
