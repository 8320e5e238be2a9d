// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.time;

/**
 * Reads time. The one place a clock is read from; everything else takes time as a parameter.
 *
 * <p>Thread-safe. The unit is nanoseconds from an arbitrary origin, as {@link System#nanoTime()}:
 * it never goes back, it may be negative, and two readings may only be compared by their
 * difference.
 */
@FunctionalInterface
public interface Ticker {

  /** Now, in nanoseconds from this ticker's origin. */
  long nanoTime();

  /** The ticker of the running JVM. */
  static Ticker system() {
    return SystemTime.INSTANCE;
  }
}
