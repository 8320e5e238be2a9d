// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.metrics.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a call whose attempts follow one another. Its ending is the whole call's unless
 * another attempt follows.
 */
final class Attempt<A extends @Nullable Object, R extends @Nullable Object>
    extends OwnAttempt<A, R> {

  final RetriedCall<A, R> call;

  /** Whether the whole call has ended with its success. Written and read by its ending's owner. */
  private boolean won;

  Attempt(RetriedCall<A, R> call, int number, long now) {
    super(
        call.whole,
        call,
        call.whole.callerStays,
        number,
        RetryRules.deadlineNanos(call.whole, now),
        now);
    this.call = call;
  }

  /**
   * Its own time-out is not the call's. A caller that waits goes on by itself. Beyond the call's
   * deadline none follows, and the timer has seen that deadline, perhaps before this attempt's.
   */
  @Override
  public boolean handsOver(EventType event, Throwable cause) {
    if (endsBeforeItsCall() && !call.whole.isLate(pipeline.now())) {
      if (callerStays) {
        pipeline.completion.answerQuietly(this);
      } else {
        pipeline.runtime.callbacks().execute(afterTimeout());
      }
      return false;
    }
    boolean ended = call.endsWith(this, event, cause);
    pipeline.completion.answerQuietly(this);
    return ended;
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
    countsAs(event); // also a success that came too late: it was executed
    return counts;
  }

  /** By the owner of its ending. */
  boolean hasWon() {
    return won;
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
