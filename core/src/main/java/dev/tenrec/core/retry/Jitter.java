// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.retry;

/**
 * How much of a retry's delay is left to chance, so that calls that failed together do not come
 * back together. By M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
 */
public enum Jitter {
  /** The delay is exactly what the backoff says. */
  NONE,
  /** Anything from nothing up to what the backoff says: the fewest calls until all are served. */
  FULL,
  /**
   * Anything from the first delay up to three times the last one, the longest at most: it grows by
   * chance, and never comes back at once.
   */
  DECORRELATED
}
