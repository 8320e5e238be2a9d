// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.rolling;

/**
 * The buckets of a rolling window, as moments on the ticker's scale. The window is made of so many
 * buckets, the current and unfinished one among them: it lags behind nothing, and is between a
 * bucket short and exactly as long as its setting says.
 *
 * <p>Not thread-safe: its owner's lock orders everything.
 */
public final class Buckets {

  private final long widthNanos;
  private final int count;
  private long nextNanos;

  /** A window of {@code count} buckets, the first of which starts now. */
  public Buckets(long windowNanos, int count, long nowNanos) {
    this.widthNanos = windowNanos / count;
    this.count = count;
    this.nextNanos = nowNanos + widthNanos;
  }

  /** How long the window is. */
  public long lengthNanos() {
    return count * widthNanos;
  }

  /** The next boundary: where the current bucket ends. */
  public long next() {
    return nextNanos;
  }

  /** Whether the current bucket has ended. */
  public boolean isDue(long nowNanos) {
    return nowNanos - nextNanos >= 0;
  }

  /**
   * From when on the current bucket has to be closed before anything is counted: a count would fall
   * more than one bucket before its own, or out of the window.
   */
  public long lateFrom() {
    return count == 1 ? nextNanos : nextNanos + widthNanos;
  }

  /** Goes on to the bucket of now, past those in which nothing happened. To be called when due. */
  public void moveOn(long nowNanos) {
    nextNanos = end(nowNanos);
  }

  /** Where the bucket of {@code nowNanos} ends. */
  public long end(long nowNanos) {
    return nowNanos - Math.floorMod(nowNanos - nextNanos, widthNanos) + widthNanos;
  }

  /** Where the window starts that contains the bucket of {@code nowNanos} as its last one. */
  public long windowStart(long nowNanos) {
    return end(nowNanos) - lengthNanos();
  }
}
