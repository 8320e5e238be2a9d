// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

/**
 * Reports how many executions of a command ran at once. Called by one thread at a time, which may
 * be any.
 */
@FunctionalInterface
public interface ConcurrencyGauge {

  /**
   * The greatest concurrency since the last call of this method, or since the beginning; not
   * negative. From here on it is counted anew, starting with what is in flight now. So of two calls
   * in a row the second returns the concurrency of now.
   */
  int takeMaximum();
}
