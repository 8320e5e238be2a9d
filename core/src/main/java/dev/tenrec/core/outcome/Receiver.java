// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import org.jspecify.annotations.Nullable;

/**
 * Receives how an execution ended: exactly one of its methods is called, once. The doors for
 * futures and for Rx are receivers; others can be built on it.
 *
 * <p>Called on the thread that ended the execution: a pool's, a stage's, the callback executor's,
 * or, for what ends within the call itself, the caller's. Never the timer's. What it throws is
 * logged.
 *
 * @param <R> what the command returns
 */
public interface Receiver<R extends @Nullable Object> {

  /** The answer, from the work or from its fallback; null is a legal one. */
  void onValue(R value);

  /**
   * There is no answer. Not called after the receiver's own side cancelled.
   *
   * @param error the exception as it was thrown, or one of Tenrec's, or a {@link
   *     java.util.concurrent.CancellationException} if the execution was cancelled from elsewhere
   *     (its Tenrec was closed)
   */
  void onError(Throwable error);
}
