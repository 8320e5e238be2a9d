// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a call that may be hedged, the first one included. It counts why it ended, or that
 * another one has outrun it. Nobody waits for it.
 */
final class HedgedAttempt<A extends @Nullable Object, R extends @Nullable Object>
    extends OwnAttempt<A, R> {

  final HedgedCall<A, R> call;

  /** In which round of its call, from 1. */
  final int round;

  /** Whether its call knows that it has failed. Guarded by the call's monitor. */
  boolean accounted;

  /**
   * What it was counted as; null if that was nothing. Written by the owner of its ending, read by
   * that of the call's; what is read too early was counted too late for the call.
   */
  @Nullable EventType countedAs;

  HedgedAttempt(HedgedCall<A, R> call, int number, int round, long now) {
    super(call.whole, call, false, number, call.hedges.deadlineNanos(call.whole, now), now);
    this.call = call;
    this.round = round;
  }

  @Override
  protected void workBegins(long now) {
    super.workBegins(now);
    call.hedges.workBegins(this, now);
  }

  /**
   * On the timer's thread, at its deadline: whether the whole call has ended with it. If that was
   * its own, and no other attempt is under way, another round may follow.
   */
  @Override
  public boolean handsOver(EventType event, Throwable cause) {
    if (endsBeforeItsCall()) {
      call.goOn(afterTimeout());
      return false;
    }
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
    if (counted != null || !call.countsLater(this)) {
      countsAs(counted);
    }
    if (counted == EventType.ATTEMPT_OUTRUN) {
      call.hedges.outrun(this);
    } else if (counted != null && counted != event) {
      call.hedges.endsAsItsCall(this, counted);
    }
    return counted == event;
  }

  /** How long it was at work. */
  void handTimeOver() {
    handTimeOver(call.whole);
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
