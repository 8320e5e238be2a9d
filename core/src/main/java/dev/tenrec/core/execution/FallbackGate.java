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

  private final Permits permits;

  FallbackGate(int maxConcurrent) {
    permits = new Permits(maxConcurrent);
  }

  /** Null if the fallback may run, else the event that says why not. */
  @Nullable EventType enter(Plan plan, boolean present) {
    if (!present) {
      return EventType.FALLBACK_MISSING;
    }
    if (!plan.settings.fallbackEnabled()) {
      return EventType.FALLBACK_DISABLED;
    }
    return permits.tryTake() ? null : EventType.FALLBACK_REJECTION;
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
    permits.give();
  }

  void resize(int maxConcurrent) {
    if (permits.limit() != maxConcurrent) {
      permits.resize(maxConcurrent);
    }
  }

  int inUse() {
    return permits.inUse();
  }

  CommandRejectedException refusal(String commandKey, boolean stackTraces) {
    return new CommandRejectedException(
        commandKey,
        CommandRejectedException.Reason.FALLBACK,
        commandKey,
        permits.limit(),
        permits.inUse(),
        stackTraces);
  }
}
