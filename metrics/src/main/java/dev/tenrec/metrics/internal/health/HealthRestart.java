// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.health;

/**
 * The moment the circuit last closed. Until the rolling window has moved past it, the breaker's
 * window begins here. There is none before that, so a command whose circuit never opened pays
 * nothing for it.
 */
public final class HealthRestart {

  private final int[] totals;
  private final long atNanos;

  /**
   * The health starts from zero at {@code atNanos}.
   *
   * @param totals what the {@link EventCells} stand at; is kept, and must not be changed
   */
  public HealthRestart(int[] totals, long atNanos) {
    this.totals = totals;
    this.atNanos = atNanos;
  }

  /** Whether this is what a window that starts at {@code windowStartNanos} has to begin with. */
  public boolean isWithin(long windowStartNanos) {
    return atNanos - windowStartNanos >= 0;
  }

  /** Turns {@code totals}, those of now, into what was counted since. */
  public void subtractFrom(int[] totals) {
    for (int i = 0; i < totals.length; i++) {
      totals[i] -= this.totals[i];
    }
  }
}
