// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.latency;

/**
 * All sizes recorded since the beginning; immutable. No count ever falls, unless {@code
 * metrics.rollingPercentile.enabled} is switched off: switched on again they start at zero. Sizes
 * up to 63 are exact, greater ones wrong by at most 1.6 %.
 */
public final class SizeTotals {

  /** No size at all. */
  public static final SizeTotals EMPTY = new SizeTotals(LatencyTotals.EMPTY);

  private final LatencyTotals scaled;

  /** Of sizes that were recorded as latencies, each as {@link SizeSnapshot#scaled} says. */
  public SizeTotals(LatencyTotals scaled) {
    this.scaled = scaled;
  }

  /** How many sizes there are. */
  public long count() {
    return scaled.count();
  }

  /** Their sum; 0 if there is none. */
  public double sum() {
    // a slot of w sizes is reported half a unit beyond their mean
    return scaled.sumNanos() / SizeSnapshot.scaled(1) - 0.5 * count();
  }

  /**
   * How many sizes are at most as great as each bound.
   *
   * @param bounds in growing order
   * @return as many counts, each containing the one before
   * @throws IllegalArgumentException if a bound is less than the one before
   */
  public long[] countsUpTo(int... bounds) {
    long[] boundsNanos = new long[bounds.length];
    for (int i = 0; i < bounds.length; i++) {
      // a size's own slot ends where that of the next one begins
      boundsNanos[i] = SizeSnapshot.scaled(1) * (bounds[i] + 1L) - 1;
    }
    return scaled.countsUpTo(boundsNanos);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SizeTotals that && scaled.equals(that.scaled);
  }

  @Override
  public int hashCode() {
    return scaled.hashCode();
  }

  @Override
  public String toString() {
    return count() + " sizes, " + Math.round(sum()) + " in sum";
  }
}
