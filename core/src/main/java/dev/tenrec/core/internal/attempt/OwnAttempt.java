// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.core.outcome.Receiver;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that is an execution of its own, with permission, permit, worker and cancellers of its
 * own, by the plan and the deadline of the whole call, or by an earlier one of its own. What it
 * counts is why it ended; the fallback, the answer and its latency are the whole call's only.
 * Giving it up from outside is giving up the whole call.
 */
abstract class OwnAttempt<A extends @Nullable Object, R extends @Nullable Object>
    extends Execution<A, R> {

  /** All that an attempt can end with but for FAILURE; once, for an ending may find no memory. */
  private static final EventType[] OTHER_ENDS = {
    EventType.SUCCESS,
    EventType.TIMEOUT,
    EventType.DEADLINE_EXCEEDED,
    EventType.BAD_REQUEST,
    EventType.SHORT_CIRCUITED,
    EventType.THREAD_POOL_REJECTED,
    EventType.SEMAPHORE_REJECTED,
    EventType.RATE_LIMITED,
    EventType.CANCELLED
  };

  private final Execution<A, R> whole;
  private final int number;
  private final long begunNanos;

  /** Goes on after a time-out that the timer found; null if the call's own deadline is earlier. */
  private final @Nullable CallbackTask afterTimeout;

  /**
   * By the thread that begins it.
   *
   * @param number from 1
   * @param deadlineNanos no later than that of {@code whole}
   */
  OwnAttempt(
      Execution<A, R> whole,
      Receiver<? super R> receiver,
      boolean callerStays,
      int number,
      long deadlineNanos,
      long now) {
    super(whole, receiver, callerStays, deadlineNanos);
    this.whole = whole;
    this.number = number;
    this.begunNanos = now;
    this.afterTimeout =
        deadlineNanos == whole.deadlineNanos() ? null : new CallTask(whole, this::goOn);
  }

  /** Whether it is known what it ended with. */
  final boolean isDecided() {
    return isUnpublished() || isAnswered(); // in this order, as one follows the other
  }

  /**
   * Whether its work has stopped, and it may yet answer its call: its owner judges the result, or
   * is on the way to the call with it.
   */
  final boolean isAboutToAnswer() {
    // read first: its cause was written before
    return hasStopped() && !isAnswered() && (!isUnpublished() || cause == null);
  }

  /** What its ending was decided as: by a thread that has seen that it is. */
  final EventType endEvent() {
    for (EventType event : OTHER_ENDS) {
      if (has(event)) {
        return event;
      }
    }
    return EventType.FAILURE;
  }

  /** Whether its deadline is its own, and comes before that of its call. */
  final boolean endsBeforeItsCall() {
    return afterTimeout != null;
  }

  /**
   * What comes after a deadline of its own, at which the timer's thread has found it. Whether
   * another attempt follows is for users' code to say, which that thread does not run.
   */
  final CallbackTask afterTimeout() {
    return Errors.present(afterTimeout);
  }

  /** It has timed out, and another attempt may follow. */
  private void goOn() {
    try {
      pipeline.conclude(this, EventType.TIMEOUT, cause);
    } catch (Throwable thrown) { // no memory: its call may have no deadline that would end it
      pipeline.runtime.failedToSettle(thrown);
      pipeline.abandonment.leaveToOwner(this);
    }
  }

  @Override
  public final EventType lateness() {
    return endsBeforeItsCall() ? EventType.TIMEOUT : super.lateness();
  }

  @Override
  public final CommandTimeoutException timeoutError() {
    return endsBeforeItsCall()
        ? Errors.timeout(this, deadlineNanos() - begunNanos, pipeline.now() - begunNanos)
        : super.timeoutError();
  }

  @Override
  public final Execution<A, R> whole() {
    return whole;
  }

  @Override
  public final int attempt() {
    return number;
  }

  /** What the fallback would need of it. */
  final void handPermitOver() {
    handPermitOver(whole);
  }

  /**
   * By the owner of its ending: what that is counted as, null if as nothing. A further attempt was
   * counted when it began, and is taken off the executions for that.
   */
  final void countsAs(@Nullable EventType event) {
    if (number > 1 && !isExecution(event)) {
      pipeline.runtime.recorder.furtherNotExecuted(pipeline.now());
    }
  }

  private static boolean isExecution(@Nullable EventType event) {
    return event == EventType.SUCCESS
        || event == EventType.FAILURE
        || event == EventType.TIMEOUT
        || event == EventType.BAD_REQUEST
        || event == EventType.ATTEMPT_OUTRUN;
  }

  /** Its cause was counted; the answer is the whole call's. */
  @Override
  protected final @Nullable EventType takeAnswerEvent() {
    return null;
  }

  @Override
  public final boolean awaitsFallback() {
    return false;
  }

  @Override
  public final boolean cancel(boolean interrupt) {
    return whole.cancel(interrupt);
  }

  /** The whole call is given up, and has its ending. Whether this ended by it. */
  final boolean giveUp(boolean interrupt) {
    return super.cancel(interrupt);
  }
}
