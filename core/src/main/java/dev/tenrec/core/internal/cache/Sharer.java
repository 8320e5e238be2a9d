// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.cache;

/**
 * One of those that share a run.
 *
 * @param <T> what the run ends with
 */
@FunctionalInterface
public interface Sharer<T> {

  /** The run has ended. Called once, on the thread that ended it, unless this has left before. */
  void ended(T result);
}
