// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.config.CommandSettings;

/**
 * One settings snapshot of a command, and what was chosen by it. Immutable; a call reads the
 * present one once and keeps it to its end, so a change never shows in the middle of a call.
 */
final class Plan {

  /** How the breaker is asked. */
  enum BreakerMode {
    GUARDING,
    FORCED_OPEN,
    /** Lets everything through; the states go on underneath. */
    FORCED_CLOSED,
    /** The same, and counts what would have been refused. */
    OBSERVING,
    DISABLED
  }

  final CommandSettings settings;
  final BreakerMode breakerMode;
  final BulkheadGate bulkhead;
  final WorkStarter starter;
  final boolean runsOnCaller;
  final boolean fallbackEnabled;

  /** {@link Execution#NEVER} when switched off. */
  final long timeoutNanos;

  /** {@link Execution#NEVER} when switched off. */
  final long betweenItemsNanos;

  /** From here on a success is a slow one; {@link Long#MAX_VALUE} when switched off. */
  final long slowNanos;

  Plan(CommandSettings settings, BulkheadGate bulkhead, WorkStarter starter) {
    this.settings = settings;
    this.bulkhead = bulkhead;
    this.starter = starter;
    this.runsOnCaller = starter == WorkStarter.ON_CALLER;
    this.fallbackEnabled = settings.fallbackEnabled();
    this.breakerMode = breakerMode(settings);
    this.timeoutNanos = settings.timeoutEnabled() ? settings.timeoutNanos() : Execution.NEVER;
    long betweenItems = settings.betweenItemsTimeoutNanos();
    this.betweenItemsNanos = betweenItems > 0 ? betweenItems : Execution.NEVER;
    this.slowNanos = settings.slowCallNanos() > 0 ? settings.slowCallNanos() : Long.MAX_VALUE;
  }

  private static BreakerMode breakerMode(CommandSettings settings) {
    if (!settings.breakerEnabled()) {
      return BreakerMode.DISABLED;
    }
    if (settings.forceOpen()) {
      return BreakerMode.FORCED_OPEN;
    }
    if (settings.forceClosed()) {
      return BreakerMode.FORCED_CLOSED;
    }
    return settings.observeOnly() ? BreakerMode.OBSERVING : BreakerMode.GUARDING;
  }
}
