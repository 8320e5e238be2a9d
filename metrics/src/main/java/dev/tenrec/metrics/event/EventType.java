// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.event;

/**
 * What can happen to an execution. The order is the one events are reported in.
 *
 * <p>Every execution is answered exactly once, and its answer is counted as exactly one of {@link
 * #SUCCESS}, {@link #FALLBACK_SUCCESS}, {@link #EXCEPTION_THROWN}, {@link #CANCELLED} (or {@link
 * #RESPONSE_FROM_CACHE}, for a call that had no execution of its own): these add up to the calls.
 */
public enum EventType {
  /** A stream command passed on an item; counted per item. */
  EMIT,
  /** The work returned in time. */
  SUCCESS,
  /** The work threw, or returned a result that counts as a failure. */
  FAILURE,
  /**
   * The deadline came before the work's end. Not counted for a call that was between two attempts
   * then: it ends with its last failure.
   */
  TIMEOUT,
  /**
   * The deadline of the call that this one was made in came before the work's end, or its begin,
   * and before the command's own. It says nothing of the dependency, so it is no error for the
   * health.
   */
  DEADLINE_EXCEEDED,
  /**
   * The work threw an exception that is the caller's fault: not a failure of the dependency, and no
   * fallback.
   */
  BAD_REQUEST,
  /** The circuit was open. */
  SHORT_CIRCUITED,
  /** The pool was full. */
  THREAD_POOL_REJECTED,
  /** All permits of the semaphore, or of the virtual threads, were in use. */
  SEMAPHORE_REJECTED,
  /**
   * The rate limiter had no permit. It says nothing of the dependency, so it is no error for the
   * health.
   */
  RATE_LIMITED,
  /** A fallback stream passed on an item; counted per item. */
  FALLBACK_EMIT,
  /** The fallback answered. */
  FALLBACK_SUCCESS,
  /** The fallback threw. */
  FALLBACK_FAILURE,
  /** No permit was left for the fallback, or no thread to run it. */
  FALLBACK_REJECTION,
  /** There is a fallback, switched off by {@code fallback.enabled}. */
  FALLBACK_DISABLED,
  /** There is no fallback. */
  FALLBACK_MISSING,
  /** The caller was answered with an exception. */
  EXCEPTION_THROWN,
  /** The request cache answered. */
  RESPONSE_FROM_CACHE,
  /** The caller gave up: cancelled, disposed, or interrupted while waiting. */
  CANCELLED,
  /** The execution answered for members of a batch; counted per member. */
  COLLAPSED,
  /** A further attempt began; its own end is counted besides, as the first attempt's is. */
  RETRY,
  /** A further attempt was wanted, and the budget had none left. */
  RETRY_BUDGET_EXHAUSTED,
  /** A further attempt began beside one that was under way; its own end is counted besides. */
  HEDGE,
  /**
   * A hedge was due, and did not begin: the budget had none left, the circuit was not closed, or
   * the rate limiter or the bulkhead had no permit. The call went on without it.
   */
  HEDGE_REFUSED,
  /**
   * An attempt, the first or a hedge, was given up because its call had ended by another attempt;
   * or its call ended from outside, and another attempt was counted for that. No error and no
   * success for the health.
   */
  ATTEMPT_OUTRUN;

  private static final EventType[] VALUES = values();

  /** How many types there are. */
  public static final int COUNT = VALUES.length;
}
