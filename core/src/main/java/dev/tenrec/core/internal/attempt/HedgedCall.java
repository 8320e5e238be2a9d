// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.ExecutionState;
import dev.tenrec.core.internal.call.PublicationListener;
import dev.tenrec.core.internal.call.SharedRunPart;
import dev.tenrec.metrics.event.EventType;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call that may be hedged, and how it ends. Its execution has no work; it is claimed once: by the
 * first attempt that succeeds, by the last one that fails, or by what ends any call: its deadline,
 * its caller, closing. The thread that claims it gives up what is still under way. Which attempts
 * begin is for {@link AttemptRounds} to say, by whose monitor the fields are guarded here, too.
 *
 * <p>Of an attempt that is given up because the call has ended, one may count what the call ended
 * with, if no attempt has: so a time-out of two attempts is counted once.
 */
final class HedgedCall<A extends @Nullable Object, R extends @Nullable Object>
    extends AttemptRounds<A, R> implements SharedRunPart, PublicationListener<R> {

  final Hedges<A, R> hedges;

  /** Whether what the call ended with is counted, or needs no count. */
  private boolean counted;

  /** What the call was ended with from outside; null if it was not, or that is not known yet. */
  private @Nullable EventType endedAs;

  /**
   * What succeeded, or was ended by closing, between the claim of the call's ending from outside
   * and {@link #endedItself}; null if nothing did.
   */
  private @Nullable HedgedAttempt<A, R> tooLate;

  /** The attempt that ended the call; null if none did, or none has yet. */
  private @Nullable HedgedAttempt<A, R> endedBy;

  /** What the call fails with if no attempt succeeds; null if none has failed. */
  private @Nullable Throwable failure;

  /** What {@link #failure} was counted as. */
  private EventType failedAs = EventType.FAILURE;

  /** Whether the engine made {@link #failure}. */
  private boolean ownFailure;

  /** Whether an attempt has failed, and was not refused by our own gates. */
  private boolean failedInWork;

  /** Whether it was ended from outside while no attempt was under way. */
  private boolean endedBetween;

  /**
   * Of a call that has begun no attempt.
   *
   * @param most how many attempts there are at most
   */
  HedgedCall(Hedges<A, R> hedges, Execution<A, R> whole, long delayNanos, int most) {
    super(whole, delayNanos, most);
    this.hedges = hedges;
  }

  @Override
  void beginHedge(int ofRound) {
    hedges.begin(this, ofRound);
  }

  /** The first attempt of the next round; null if the call has been ended, or the round begun. */
  synchronized @Nullable HedgedAttempt<A, R> next(long now) {
    if (!waitsForRound()) {
      return null;
    }
    HedgedAttempt<A, R> next = new HedgedAttempt<>(this, begun() + 1, round() + 1, now);
    return beginsRound(next) ? next : null;
  }

  // How it ends.

  /**
   * By the owner of an attempt's ending: what that counts as, null if nothing. The call ends with
   * it here if no other attempt could change that.
   */
  @Nullable EventType ends(HedgedAttempt<A, R> attempt, EventType event) {
    // no switch: see Pipeline.stopped
    if (event == EventType.TIMEOUT && attempt.endsBeforeItsCall() && fails(attempt)) {
      return event; // which is its own, and a failure as any
    }
    if (event == EventType.SUCCESS) {
      return endsItsCall(attempt, event) ? event : endsTooLate(attempt);
    }
    if (event == EventType.TIMEOUT || event == EventType.DEADLINE_EXCEEDED) {
      // a deadline is that of all attempts
      return endsItsCall(attempt, event) || takesCount() ? event : EventType.ATTEMPT_OUTRUN;
    }
    if (event == EventType.CANCELLED) { // which is counted with the answer, or for the call
      return endsItsCall(attempt, event) ? null : endsTooLate(attempt); // closing may end it alone
    }
    if (event == EventType.BAD_REQUEST) {
      boolean unused = endsWith(attempt, event);
    }
    return event;
  }

  /** Whether an attempt that is out of its own time has failed while its call went on. */
  private synchronized boolean fails(HedgedAttempt<A, R> attempt) {
    return !isOver() || attempt.accounted;
  }

  /** By its owner; or another thread has taken that for lost, and ended the call with it. */
  private boolean endsItsCall(HedgedAttempt<A, R> attempt, EventType event) {
    return endsWith(attempt, event) || isEndedBy(attempt);
  }

  /**
   * It has succeeded, or closing has ended it, and its call has ended before. With another attempt,
   * that has outrun it. From outside, it counts what the call ended with, unless another attempt
   * does: this one may be the only one.
   *
   * @return null if that is a cancellation, which the call counts, or is not known yet
   */
  private synchronized @Nullable EventType endsTooLate(HedgedAttempt<A, R> attempt) {
    if (!takesCount()) {
      return EventType.ATTEMPT_OUTRUN;
    }
    if (endedAs == null) {
      tooLate = attempt;
    }
    return endedAs == EventType.CANCELLED ? null : endedAs;
  }

  /** Whether what it counts as is known, and counted, once the call's own ending is. */
  synchronized boolean countsLater(HedgedAttempt<A, R> attempt) {
    return tooLate == attempt;
  }

  private synchronized boolean takesCount() {
    boolean first = !counted;
    counted = true;
    return first;
  }

  /**
   * By the owner of an attempt's ending, or in its place: the call ends with it, decided and not
   * answered. False if it has been ended.
   */
  synchronized boolean endsWith(HedgedAttempt<A, R> attempt, EventType event) {
    if (!claims()) {
      return false;
    }
    endedBy = attempt;
    attempt.handPermitOver();
    Throwable cause = attempt.cause;
    if (cause == null) {
      whole.decideAfterRetries(event, attempt.value(), null, false);
    } else {
      whole.decideAfterRetries(event, null, cause, attempt.hasOwnCause());
    }
    return true;
  }

  /**
   * By the owner of an attempt's ending, or in its place: the attempt has failed. True if that was
   * the end of its round, and the call has not been ended: then the caller ends it, or has another
   * round follow.
   */
  synchronized boolean failed(HedgedAttempt<A, R> attempt, EventType event, Throwable cause) {
    if (attempt.accounted) {
      return false;
    }
    attempt.accounted = true;
    boolean inWork = event == EventType.FAILURE || event == EventType.TIMEOUT;
    if (inWork || !failedInWork) { // a refusal by our own gates says less than the work's failure
      failure = cause;
      failedAs = event;
      ownFailure = attempt.hasOwnCause();
      failedInWork |= inWork;
    }
    return endsRound(attempt, cause);
  }

  /**
   * By the owner of an attempt's ending, or in its place, where none is under way and no round
   * follows: the call ends with what its attempts failed with. False if it has been ended.
   *
   * @param attempt that failed just now; null if another thread than its owner ends the call
   */
  synchronized boolean endsFailed(@Nullable HedgedAttempt<A, R> attempt) {
    if (!claims()) {
      return false;
    }
    endedBy = attempt;
    HedgedAttempt<A, R> first = after(null);
    if (attempt != null) {
      attempt.handPermitOver();
    } else if (first != null) {
      first.handTimeOver();
    }
    whole.decideAfterRetries(failedAs, null, failure, ownFailure);
    return true;
  }

  /**
   * At the call's deadline: whether no attempt was under way, and the call has ended with what its
   * attempts failed with. It waits for its next round, or is about to. An attempt that has failed
   * is not under way, also if its owner has yet to say so here.
   */
  synchronized boolean endsOutOfTime() {
    for (HedgedAttempt<A, R> one = after(null); one != null; one = after(one)) {
      if (one.isUnpublished() || one.isAnswered()) { // read first: its cause was written before
        Throwable cause = one.cause;
        EventType event = one.endEvent();
        if (cause != null && Hedges.isFailure(one, event)) {
          boolean unused = failed(one, event, cause);
        }
      }
    }
    return begun() > 0 && underWay() == 0 && endsFailed(null);
  }

  /** As what {@link #endsFailed} counts. */
  synchronized EventType failedAs() {
    return failedAs;
  }

  /** With the monitor. The caller decides the ending at once. */
  private boolean claims() {
    if (isOver() || whole.claim() == ExecutionState.Claim.LOST) {
      return false;
    }
    counted = true;
    endRounds();
    addCounted();
    return true;
  }

  /** With the monitor: what its attempts were counted as, so far. */
  private void addCounted() {
    for (HedgedAttempt<A, R> one = after(null); one != null; one = after(one)) {
      EventType event = one.countedAs;
      if (one.accounted && event != null) {
        whole.add(event);
      }
    }
  }

  synchronized boolean isEndedBy(HedgedAttempt<A, R> attempt) {
    return endedBy == attempt;
  }

  /** By the thread that has ended the call: what is still under way is not wanted any more. */
  void giveUpOthers() {
    boolean interrupt = whole.plan.settings.interruptOnTimeout();
    for (HedgedAttempt<A, R> other = after(null); other != null; other = after(other)) {
      if (!other.isClaimed()) {
        giveUp(other, EventType.CANCELLED, null, interrupt);
      }
    }
  }

  private void giveUp(
      HedgedAttempt<A, R> attempt, EventType event, @Nullable Throwable why, boolean interrupt) {
    try {
      Throwable cause = why != null ? why : Errors.cancelled(pipeline.commandKey());
      boolean unused = pipeline.abandonment.giveUp(attempt, event, cause, interrupt);
    } catch (Throwable thrown) { // no memory: it ends by itself
      pipeline.runtime.failedToSettle(thrown);
    }
  }

  // What its attempts are delivered to: those whose end was not handed over, because the thread
  // that owned it is lost, or because they were ended from outside. On any thread; runs no user
  // code.

  @Override
  public void publish(R value, @Nullable Throwable error) {
    endUnlessHandedOver();
  }

  @Override
  public void onValue(R value) {
    endUnlessHandedOver(); // nothing, unless there was no memory for it when it was published
  }

  @Override
  public void onError(Throwable error) {
    endUnlessHandedOver();
  }

  private void endUnlessHandedOver() {
    for (HedgedAttempt<A, R> attempt = after(null); attempt != null; attempt = after(attempt)) {
      if (attempt.isAnswered() && endsWithAnswered(attempt)) {
        pipeline.completion.leaveIfHolder(whole);
        giveUpOthers();
        pipeline.abandonment.concludeApart(whole);
        return;
      }
    }
  }

  private boolean endsWithAnswered(HedgedAttempt<A, R> attempt) {
    if (isEndedBy(attempt)) {
      return true;
    }
    Throwable cause = attempt.cause;
    if (cause == null) {
      return endsWith(attempt, EventType.SUCCESS);
    }
    EventType event = attempt.endEvent();
    if (!Hedges.isFailure(attempt, event)) {
      return endsWith(attempt, event);
    }
    return (isDeciding(attempt) || failed(attempt, event, cause)) && endsFailed(attempt);
  }

  // As a part in work that is not the whole call's own.

  @Override
  public boolean first() {
    return false;
  }

  /** Whether an attempt is about to answer, and none is at work, which closing would wait for. */
  @Override
  public boolean isUndecided() {
    boolean undecided = false;
    for (HedgedAttempt<A, R> one = after(null); one != null; one = after(one)) {
      if (one.isAboutToAnswer()) {
        undecided = true;
      } else if (!one.isClaimed()) {
        return false;
      }
    }
    return undecided && !whole.isClaimed();
  }

  /** By the thread that claimed the call's ending: its deadline, its caller, closing. */
  @Override
  public void endedItself(EventType event) {
    HedgedAttempt<A, R> late;
    synchronized (this) {
      endedAs = event;
      endedBetween = underWay() == 0;
      late = tooLate;
      endRounds();
      addCounted();
    }
    HedgedAttempt<A, R> first = after(null);
    if (first == null) {
      hedges.endedWithoutAttempt(whole, event);
      return;
    }
    if (event == EventType.CANCELLED) {
      hedges.count(event);
    }
    Throwable cause = Errors.present(whole.cause);
    boolean interrupt = event != EventType.CANCELLED && whole.plan.settings.interruptOnTimeout();
    for (HedgedAttempt<A, R> attempt = after(null); attempt != null; attempt = after(attempt)) {
      giveUp(attempt, event, cause, interrupt);
    }
    first.handTimeOver();
    if (late != null) {
      late.countsAs(event);
      if (event != EventType.CANCELLED) {
        hedges.endsAsItsCall(late, event);
      }
    }
  }

  @Override
  public boolean workBegan() {
    for (HedgedAttempt<A, R> attempt = after(null); attempt != null; attempt = after(attempt)) {
      if (attempt.hasRun()) {
        return true;
      }
    }
    return false;
  }

  /** The whole call was given up, and its attempts with it. */
  @Override
  public void leave(boolean interrupt) {
    if (interrupt) {
      for (HedgedAttempt<A, R> attempt = after(null); attempt != null; attempt = after(attempt)) {
        pipeline.abandonment.interrupt(attempt);
      }
    }
  }

  @Override
  public void leaveApart(boolean interrupt) {
    leave(interrupt); // which interrupts on other threads
  }

  @Override
  public synchronized int times(EventType event, boolean present) {
    if (event == EventType.RETRY) {
      return round() - 1;
    }
    if (event == EventType.HEDGE) {
      return hedgesBegun();
    }
    int times = 0;
    for (HedgedAttempt<A, R> attempt = after(null); attempt != null; attempt = after(attempt)) {
      if (attempt.countedAs == event && event != EventType.ATTEMPT_OUTRUN) {
        times++;
      }
    }
    return times > 0 ? times : present && !isUncounted(event) ? 1 : 0;
  }

  /**
   * Whether no attempt counts why the call was ended from outside: the deadline found one under
   * way, which failed before the call's ending was claimed.
   */
  private boolean isUncounted(EventType event) {
    return endedBetween && event == endedAs && event != EventType.CANCELLED && begun() > 0;
  }

  @Override
  public int attempts() {
    return Math.max(1, begun());
  }

  /** Null if that is what the call ended with. */
  @Override
  public @Nullable List<Throwable> failedAttempts() {
    List<Throwable> all;
    synchronized (this) {
      if (begun() < 2) {
        return null;
      }
      all = failures();
      if (endedBetween) { // by what is no attempt's
        return Collections.unmodifiableList(all);
      }
    }
    Throwable cause = whole.cause;
    if (all.size() < attempts()
        && cause != null
        && !containsItself(all, cause)
        && !whole.has(EventType.CANCELLED)) {
      all.add(cause); // of the time-out that ended all, or a bad request
    }
    return Collections.unmodifiableList(all);
  }

  /** Whether that very error is among them: equal errors of two attempts are two. */
  private static boolean containsItself(List<Throwable> all, Throwable sought) {
    for (Throwable one : all) {
      if (one == sought) {
        return true;
      }
    }
    return false;
  }
}
