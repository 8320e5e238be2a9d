// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a call that may be hedged, the first one included: an execution with permission,
 * permit, worker and cancellers of its own, by the plan and the deadline of the whole call. It
 * counts why it ended, or that another one has outrun it. Nobody waits for it. Giving it up from
 * outside is giving up the whole call.
 */
final class HedgedAttempt<A extends @Nullable Object, R extends @Nullable Object>
    extends Execution<A, R> {

  final HedgedCall<A, R> call;
  private final int number;

  /** Whether its call knows that it has failed. Guarded by the call's monitor. */
  boolean accounted;

  /**
   * What it was counted as; null if that was nothing. Written by the owner of its ending, read by
   * that of the call's; what is read too early was counted too late for the call.
   */
  @Nullable EventType countedAs;

  HedgedAttempt(HedgedCall<A, R> call, int number) {
    super(call.whole, call, false, call.whole.deadlineNanos());
    this.call = call;
    this.number = number;
  }

  @Override
  public Execution<A, R> whole() {
    return call.whole;
  }

  @Override
  public int attempt() {
    return number;
  }

  @Override
  protected void workBegins(long now) {
    super.workBegins(now);
    call.hedges.workBegins(this, now);
  }

  /** On the timer's thread, at its deadline: whether the whole call has ended with it. */
  @Override
  public boolean handsOver(EventType event, Throwable cause) {
    pipeline.completion.answerQuietly(this);
    boolean ended = call.isEndedBy(this);
    if (ended) {
      call.giveUpOthers();
    }
    return ended;
  }

  @Override
  public boolean isCause(EventType event) {
    if (call.whole.callerStays) { // which runs its fallback itself, and may call again at once
      pipeline.completion.leaveIfHolder(this);
    }
    EventType counted = call.ends(this, event);
    countedAs = counted;
    if (counted == EventType.ATTEMPT_OUTRUN) {
      call.hedges.outrun(this);
    } else if (counted != null && counted != event) {
      call.hedges.endsAsItsCall(this, counted);
    }
    return counted == event;
  }

  /** What the fallback would need of it. */
  void handPermitOver() {
    handPermitOver(call.whole);
  }

  /** How long it was at work. */
  void handTimeOver() {
    handTimeOver(call.whole);
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
    if (isUndecided()) {
      return false; // its thread is about to answer
    }
    boolean ended = call.whole.abort(error);
    boolean unused = super.abort(error); // its thread may be busy long after the call was answered
    return ended;
  }
}
