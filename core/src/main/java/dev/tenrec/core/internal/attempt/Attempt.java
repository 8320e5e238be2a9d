// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.outcome.CommandTimeoutException;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A further attempt of a call: an execution with permission, permit, worker and cancellers of its
 * own, by the plan and the deadline of the whole call, or by an earlier one of its own. What it
 * counts is why it ended. Its ending is the whole call's unless another attempt follows; the
 * fallback, the answer and its latency are the whole call's only. Giving it up is giving up the
 * whole call.
 */
final class Attempt<A extends @Nullable Object, R extends @Nullable Object>
    extends Execution<A, R> {

  final RetriedCall<A, R> call;
  private final int number;
  private final long begunNanos;

  /** Goes on after a time-out that the timer found; null if the call's own deadline is earlier. */
  private final @Nullable CallbackTask afterTimeout;

  /** Written and read by the owner of its ending. */
  private boolean won;

  Attempt(RetriedCall<A, R> call, int number, long now) {
    super(call.whole, call, call.whole.callerStays, deadlineNanos(call.whole, now));
    this.call = call;
    this.number = number;
    this.begunNanos = now;
    this.afterTimeout =
        deadlineNanos() == call.whole.deadlineNanos() ? null : CallbackTask.of(this::goOn);
  }

  /** The earlier of the call's deadline and the time-out of each attempt. */
  private static long deadlineNanos(Execution<?, ?> whole, long now) {
    long call = whole.deadlineNanos();
    long limit = whole.plan.settings.retry().attemptTimeoutNanos();
    return limit > 0 && (call == Plan.NEVER || call - now > limit) ? now + limit : call;
  }

  /** Whether its deadline is its own, and comes before that of its call. */
  boolean endsBeforeItsCall() {
    return afterTimeout != null;
  }

  @Override
  public EventType lateness() {
    return endsBeforeItsCall() ? EventType.TIMEOUT : super.lateness();
  }

  @Override
  public CommandTimeoutException timeoutError() {
    return endsBeforeItsCall()
        ? Errors.timeout(this, deadlineNanos() - begunNanos, pipeline.now() - begunNanos)
        : super.timeoutError();
  }

  /** In the command's share: it has timed out, and another attempt may follow. */
  private void goOn() {
    try {
      pipeline.conclude(this, EventType.TIMEOUT, cause);
    } catch (Throwable thrown) { // no memory: its call may have no deadline that would end it
      pipeline.runtime.failedToSettle(thrown);
      pipeline.abandonment.leaveToOwner(this);
    }
  }

  @Override
  public Execution<A, R> whole() {
    return call.whole;
  }

  @Override
  public int attempt() {
    return number;
  }

  /**
   * Its own time-out is not the call's: whether another attempt follows is for users' code to say,
   * which the timer's thread does not run. A caller that waits goes on by itself. Beyond the call's
   * deadline none follows, and the timer has seen that deadline, perhaps before this attempt's.
   */
  @Override
  public boolean handsOver(EventType event, Throwable cause) {
    CallbackTask after = afterTimeout;
    if (after != null && !call.whole.isLate(pipeline.now())) {
      if (callerStays) {
        pipeline.completion.answerQuietly(this);
      } else {
        pipeline.runtime.callbacks().execute(after);
      }
      return false;
    }
    boolean won = call.endsWith(this, event, cause);
    pipeline.completion.answerQuietly(this);
    return won;
  }

  /**
   * A success is an answer as well, so it is counted only if the whole call ends with it: that is
   * decided here.
   */
  @Override
  public boolean isCause(EventType event) {
    if (event == EventType.SUCCESS) {
      won = call.endsWith(this, event, null);
    }
    boolean counts = event == EventType.SUCCESS ? won : event != EventType.CANCELLED;
    if (counts) {
      call.counted(event);
    }
    return counts;
  }

  /** Whether the whole call has ended with its success. */
  boolean hasWon() {
    return won;
  }

  /** What the fallback would need of it. */
  void handPermitOver() {
    handPermitOver(call.whole);
  }

  /** What it ended with, as far as that matters to the whole call. */
  EventType endEvent() {
    if (has(EventType.CANCELLED)) {
      return EventType.CANCELLED;
    }
    if (has(EventType.TIMEOUT)) {
      return EventType.TIMEOUT;
    }
    return has(EventType.BAD_REQUEST) ? EventType.BAD_REQUEST : EventType.FAILURE;
  }

  /** Its cause was counted; the answer is the whole call's. */
  @Override
  protected @Nullable EventType takeAnswerEvent() {
    return null;
  }

  @Override
  public boolean awaitsFallback() {
    return false;
  }

  @Override
  public boolean cancel(boolean interrupt) {
    return call.whole.cancel(interrupt);
  }

  @Override
  public boolean abort(Throwable error) {
    boolean ended = call.whole.abort(error);
    boolean unused = super.abort(error); // its thread may be busy long after the call was answered
    return ended;
  }

  /** The whole call is given up, and has its ending. Whether this ended by it. */
  boolean giveUp(boolean interrupt) {
    return super.cancel(interrupt);
  }
}
