// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.gate;

import dev.tenrec.core.internal.isolation.Permits;
import dev.tenrec.core.work.FallbackValue;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The gate in front of a fallback: its own permits, shared by all that was built for one command
 * key.
 */
public final class FallbackGate {

  /** Null until the first fallback. Written under the monitor, read by all. */
  private volatile @Nullable Permits permits;

  /** Written and read under the monitor. */
  private int maxConcurrent;

  public FallbackGate(int maxConcurrent) {
    this.maxConcurrent = maxConcurrent;
  }

  /**
   * Null if the fallback may run, else why not. Throws nothing, for the call has been counted.
   *
   * @param fallback null if there is none; a call that enters with it has to leave with it
   */
  public @Nullable FallbackRefusal enter(Plan plan, @Nullable Object fallback) {
    if (fallback == null) {
      return FallbackRefusal.MISSING;
    }
    if (!plan.fallbackEnabled) {
      return FallbackRefusal.DISABLED;
    }
    if (fallback instanceof FallbackValue) {
      return null;
    }
    try {
      long taken = permits().take();
      return taken == Permits.TAKEN ? null : FallbackRefusal.full(taken);
    } catch (OutOfMemoryError e) { // for the first permits there are, or to say how many
      return FallbackRefusal.NO_MEMORY;
    }
  }

  /** Why a fallback that no thread is left to run does not run. Keeps no permit. */
  public FallbackRefusal refuse(Plan plan, @Nullable Object fallback) {
    FallbackRefusal refusal = enter(plan, fallback);
    if (refusal != null) {
      return refusal.event() == EventType.FALLBACK_REJECTION ? FallbackRefusal.NOBODY : refusal;
    }
    leave(fallback);
    return FallbackRefusal.NOBODY;
  }

  public void leave(@Nullable Object fallback) {
    if (!(fallback instanceof FallbackValue)) { // which takes no permit
      permits().give();
    }
  }

  public synchronized void resize(int maxConcurrent) {
    this.maxConcurrent = maxConcurrent;
    Permits present = permits;
    if (present != null && present.limit() != maxConcurrent) {
      present.resize(maxConcurrent);
    }
  }

  /** How many may be in flight. */
  public synchronized int limit() {
    return maxConcurrent;
  }

  public int inUse() {
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
}
