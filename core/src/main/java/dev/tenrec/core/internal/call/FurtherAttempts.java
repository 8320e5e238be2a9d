// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The step between an attempt's ending and the fallback: another attempt may follow, or be under
 * way beside it. Only commands with a retry or a hedge have this. It names executions by their
 * state, because nothing here needs more.
 */
public interface FurtherAttempts {

  /**
   * On the caller's thread, before the gates: whether the call's attempts are executions of their
   * own, from the first on. Then it is launched or ended when this returns, and has no work.
   */
  boolean takes(ExecutionState whole);

  /**
   * By the owner of an ending that is decided, on a thread that may run user code. True if the
   * ending is left to another attempt, or was an attempt's and is handed on.
   */
  boolean goesOn(ExecutionState ended, EventType event, @Nullable Throwable cause);

  /** Whether an attempt may follow a refusal by our own gates. */
  boolean followRefusals();

  /**
   * On the caller's thread, which waits for the whole call: goes on with what is due, if that was
   * left to this thread.
   *
   * @return false if nothing was; then it goes on waiting
   */
  default boolean goesOnHere(ExecutionState whole) {
    return false;
  }

  /** On the caller's thread, which waits: for the next attempt, or for the end of this one. */
  void awaitHere(ExecutionState whole);

  /**
   * By the thread that gives the call up: whether it was waiting for an attempt or at one, and is
   * now decided as cancelled. No further attempt follows in either case.
   */
  boolean cancels(ExecutionState whole, Throwable why);

  /**
   * At a deadline, on the timer's thread or on the caller's, before the ending is claimed for that:
   * whether no attempt of this whole call was under way, and the call is now decided by the last
   * failure. An attempt that is under way has the same deadline, and ends the call itself. Runs no
   * user code.
   */
  boolean outOfTime(ExecutionState whole);
}
