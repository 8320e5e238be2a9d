// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.isolation.Permits;
import dev.tenrec.core.outcome.CommandRejectedException;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The gate in front of a fallback: its own permits, shared by all that was built for one command
 * key.
 */
final class FallbackGate {

  /** Null until the first fallback. Written under the monitor, read by all. */
  private volatile @Nullable Permits permits;

  /** Written under the monitor, as is read there. */
  private int maxConcurrent;

  FallbackGate(int maxConcurrent) {
    this.maxConcurrent = maxConcurrent;
  }

  /** Null if the fallback may run, else the event that says why not. */
  @Nullable EventType enter(Plan plan, boolean present) {
    if (!present) {
      return EventType.FALLBACK_MISSING;
    }
    if (!plan.settings.fallbackEnabled()) {
      return EventType.FALLBACK_DISABLED;
    }
    return permits().tryTake() ? null : EventType.FALLBACK_REJECTION;
  }

  /** The same question for a fallback that nobody is left to run: takes no permit. */
  EventType refuse(Plan plan, boolean present) {
    EventType refusal = enter(plan, present);
    if (refusal != null) {
      return refusal;
    }
    leave();
    return EventType.FALLBACK_REJECTION;
  }

  void leave() {
    permits().give();
  }

  synchronized void resize(int maxConcurrent) {
    this.maxConcurrent = maxConcurrent;
    Permits present = permits;
    if (present != null && present.limit() != maxConcurrent) {
      present.resize(maxConcurrent);
    }
  }

  int inUse() {
    Permits present = permits;
    return present == null ? 0 : present.inUse();
  }

  private Permits permits() {
    Permits present = permits;
    return present != null ? present : makePermits();
  }

  private synchronized Permits makePermits() {
    Permits present = permits;
    if (present == null) {
      permits = present = new Permits(maxConcurrent);
    }
    return present;
  }

  CommandRejectedException refusal(String commandKey, boolean stackTraces) {
    return new CommandRejectedException(
        commandKey,
        CommandRejectedException.Reason.FALLBACK,
        commandKey,
        permits().limit(),
        permits().inUse(),
        stackTraces);
  }
}
