// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.isolation;

/**
 * What a {@link WorkerPool} needs of others where its own threads will not do: when there are none,
 * and where a logger would hold up a call. No method waits or runs a user's code, because they are
 * called on callers' threads and on the timer's.
 */
public interface ThreadStartRetry {

  /**
   * Has {@code attempt} run once, in a moment, on another thread. It does not wait or throw. Takes
   * no memory. Not called again before the attempt has begun.
   *
   * @return false if it will not be run, because all is closing
   */
  boolean later(Runnable attempt);

  /** Has it logged elsewhere. */
  void failed(String what, Throwable thrown);
}
