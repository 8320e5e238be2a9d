// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.health;

/**
 * The moment the circuit last closed. Until the rolling window has moved past its bucket, the
 * breaker's window begins here. There is none before that, so a command whose circuit never opened
 * pays nothing for it.
 */
public final class HealthRestart {

  private final int[] totals;
  private final long bucketEndNanos;

  /**
   * The health starts from zero now.
   *
   * @param totals what the {@link EventCells} stand at; is kept, and must not be changed
   * @param bucketEndNanos the end of the bucket of now: the first boundary at which the history
   *     holds nothing from before any more
   */
  public HealthRestart(int[] totals, long bucketEndNanos) {
    this.totals = totals;
    this.bucketEndNanos = bucketEndNanos;
  }

  /** The same where a boundary at {@code nowNanos} may have cut its bucket short. */
  public HealthRestart cutAt(long nowNanos) {
    return bucketEndNanos - nowNanos <= 0 ? this : new HealthRestart(totals, nowNanos);
  }

  /** Whether this is what a window that starts at {@code windowStartNanos} has to begin with. */
  public boolean isWithin(long windowStartNanos) {
    return bucketEndNanos - windowStartNanos > 0;
  }

  /** Turns {@code totals}, those of now, into what was counted since. */
  public void subtractFrom(int[] totals) {
    for (int i = 0; i < totals.length; i++) {
      totals[i] -= this.totals[i];
    }
  }
}
