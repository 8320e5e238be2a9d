// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.config.CommandSettings;
import dev.tenrec.core.internal.launch.WorkStarter;
import dev.tenrec.core.outcome.CommandRejectedException.Reason;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * One settings snapshot of a command, and what was chosen by it. Immutable; a call reads the
 * present one once and keeps it to its end, so a change never shows in the middle of a call.
 */
public final class Plan {

  /** No deadline, in the place of a time-out. */
  public static final long NEVER = Long.MAX_VALUE;

  /** How the breaker is asked. */
  public enum BreakerMode {
    GUARDING,
    FORCED_OPEN,
    /** Lets everything through; the states go on underneath. */
    FORCED_CLOSED,
    /**
     * Lets everything through; the states go on underneath, and what would have been refused is
     * counted.
     */
    OBSERVING,
    DISABLED,
    /** Is not asked any more: the command is closed, and its bulkhead refuses everything. */
    OVER
  }

  public final CommandSettings settings;
  public final BreakerMode breakerMode;

  /** Null when switched off. */
  public final @Nullable RateGate rate;

  public final BulkheadGate bulkhead;
  public final WorkStarter starter;
  public final boolean runsOnCaller;

  /**
   * As {@link #runsOnCaller}; not if a retry would give each attempt a time-out of its own, whether
   * or not the command has one: so that nearly all calls read one field.
   */
  public final boolean runsInLocals;

  public final boolean fallbackEnabled;

  /**
   * Whether its calls share what equal ones of their request bring: not once its key is removed.
   */
  public final boolean sharesRuns;

  /** Whether its calls heed the deadline of the call they are made in, and hand theirs on. */
  public final boolean deadlines;

  /** {@link #NEVER} when switched off. */
  public final long timeoutNanos;

  /** {@link #NEVER} when switched off. */
  public final long betweenItemsNanos;

  /** From here on a success is a slow one; {@link Long#MAX_VALUE} when switched off. */
  public final long slowNanos;

  Plan(
      CommandSettings settings,
      @Nullable RateGate rate,
      BulkheadGate bulkhead,
      WorkStarter starter) {
    this(settings, breakerMode(settings), rate, bulkhead, starter);
  }

  private Plan(
      CommandSettings settings,
      BreakerMode breakerMode,
      @Nullable RateGate rate,
      BulkheadGate bulkhead,
      WorkStarter starter) {
    this.settings = settings;
    this.breakerMode = breakerMode;
    this.rate = rate;
    this.bulkhead = bulkhead;
    this.starter = starter;
    this.runsOnCaller = starter == WorkStarter.ON_CALLER;
    this.runsInLocals = runsOnCaller && !settings.retry().limitsAttempts();
    this.fallbackEnabled = settings.fallbackEnabled();
    this.sharesRuns = settings.requestCacheEnabled() && bulkhead.reason() != Reason.CLOSED;
    this.deadlines = settings.deadlineEnabled();
    this.timeoutNanos = settings.timeoutEnabled() ? settings.timeoutNanos() : NEVER;
    long betweenItems = settings.betweenItemsTimeoutNanos();
    this.betweenItemsNanos = betweenItems > 0 ? betweenItems : NEVER;
    this.slowNanos = settings.slowCallNanos() > 0 ? settings.slowCallNanos() : Long.MAX_VALUE;
  }

  /** For a command that is closed: this bulkhead refuses everything, and says why. */
  static Plan closed(CommandSettings settings, BulkheadGate bulkhead) {
    BreakerMode mode = settings.breakerEnabled() ? BreakerMode.OVER : BreakerMode.DISABLED;
    return new Plan(settings, mode, null, bulkhead, WorkStarter.ON_CALLER);
  }

  /** What a call counts as that a gate after the breaker rejected. */
  public EventType rejection(Rejected rejected) {
    return rejected instanceof RejectedByRate ? EventType.RATE_LIMITED : bulkhead.rejection();
  }

  /**
   * What a call counts as that has not ended within its limit: the time-out, or less if the
   * deadline came first of the call it was made in.
   */
  public EventType lateness(long limitNanos) {
    return limitNanos < timeoutNanos ? EventType.DEADLINE_EXCEEDED : EventType.TIMEOUT;
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
