// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.ExecutionState;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.PublicationListener;
import dev.tenrec.core.internal.call.SharedRunPart;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.metrics.event.EventType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of a call that may be hedged, and the timer's node for the moment when the next one
 * is due. The call's execution has no work; it is claimed once: by the first attempt that succeeds,
 * by the last one that fails, or by what ends any call: its deadline, its caller, closing. Whoever
 * claims it gives up what is still under way.
 *
 * <p>Of an attempt that is given up because the call has ended, one may count what the call ended
 * with, if no attempt has: so a time-out of two attempts is counted once.
 *
 * <p>Everything but the call's own state is guarded by this object's monitor, which no user code
 * runs under and no thread waits in.
 */
final class HedgedCall<A extends @Nullable Object, R extends @Nullable Object> extends Timeout
    implements SharedRunPart, PublicationListener<R> {

  final Execution<A, R> whole;
  final Hedges<A, R> hedges;

  /** How long an attempt's work is out before another one begins beside it. */
  final long delayNanos;

  private final Pipeline<A, R> pipeline;

  /** In the order of their beginning. It has room for all, so that to add one takes no memory. */
  private final ArrayList<HedgedAttempt<A, R>> attempts;

  /** Why attempts failed, in that order. It has room for all, too. */
  private final ArrayList<Throwable> failures;

  /** The last attempt whose work has begun the delay of the next; 0 if none has. */
  private int delayedFor;

  /** How many attempts have not failed. */
  private int underWay;

  /** Whether the call's ending is claimed by a thread that gives up what is under way. */
  private boolean over;

  /** Whether what the call ended with is counted, or needs no count. */
  private boolean counted;

  /** What the call was ended with from outside; null if it was not, or that is not known yet. */
  private @Nullable EventType endedAs;

  /** What succeeded when the call had been ended from outside, and before that was known here. */
  private @Nullable HedgedAttempt<A, R> tooLate;

  /** The attempt that ended the call; null if none did, or none has yet. */
  private @Nullable HedgedAttempt<A, R> endedBy;

  /** What the call fails with if no attempt succeeds, and whether that is the engine's. */
  private @Nullable Throwable failure;

  private boolean ownFailure;
  private boolean failedInWork;

  /** Whether a hedge was due that did not begin. */
  private boolean refused;

  HedgedCall(Hedges<A, R> hedges, Execution<A, R> whole, long delayNanos) {
    super(whole.startNanos + delayNanos); // which is postponed before it is armed
    this.hedges = hedges;
    this.whole = whole;
    this.pipeline = whole.pipeline;
    this.delayNanos = delayNanos;
    int most = whole.plan.settings.hedge().atMost() + 1;
    this.attempts = new ArrayList<>(most);
    this.failures = new ArrayList<>(most);
  }

  // When the next one begins.

  /** A hedge is of no use any more. */
  @Override
  protected boolean isEnded() {
    return whole.isClaimed();
  }

  /** On the timer's thread: begins the next attempt elsewhere. */
  @Override
  protected void expired() {
    hedges.due(this);
  }

  /** The next attempt is due so long after {@code now}. Only while no timer holds this. */
  void isDueIn(long nanos, long now) {
    postpone(now + nanos);
  }

  /** How many attempts have begun. */
  synchronized int begun() {
    return attempts.size();
  }

  /** Whether the delay of the next one begins with this attempt's work: once for each. */
  synchronized boolean beginsDelay(HedgedAttempt<A, R> attempt) {
    if (attempt.attempt() <= delayedFor) {
      return false;
    }
    delayedFor = attempt.attempt();
    return true;
  }

  /** From now on a thread that ends the call finds this attempt. False if one has ended it. */
  synchronized boolean add(HedgedAttempt<A, R> attempt) {
    if (over || whole.isClaimed()) {
      return false;
    }
    attempts.add(attempt);
    underWay++;
    return true;
  }

  synchronized void refused() {
    refused = true;
  }

  // How it ends.

  /**
   * By the owner of an attempt's ending: what that counts as, null if nothing. The call ends with
   * it here if no other attempt could change that.
   */
  @Nullable EventType ends(HedgedAttempt<A, R> attempt, EventType event) {
    // no switch: see Pipeline.stopped
    if (event == EventType.SUCCESS) {
      // or another thread has taken this one for lost, and ended the call with it
      return endsWith(attempt, event) || isEndedBy(attempt) ? event : endsTooLate(attempt);
    }
    if (event == EventType.TIMEOUT || event == EventType.DEADLINE_EXCEEDED) {
      // a deadline is that of all attempts
      return endsWith(attempt, event) || takesCount() ? event : EventType.ATTEMPT_OUTRUN;
    }
    if (event == EventType.CANCELLED) { // which is counted with the answer, or for the call
      return endsWith(attempt, event) || takesCount() ? null : EventType.ATTEMPT_OUTRUN;
    }
    if (event == EventType.BAD_REQUEST) {
      boolean unused = endsWith(attempt, event);
    }
    return event;
  }

  /**
   * It has succeeded, and its call has ended before. With another attempt, that has outrun it. From
   * outside, it counts what the call ended with, unless another attempt does: this one may be the
   * only one.
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
   * By the owner of an attempt's ending, or in its place: the attempt has failed. True if no other
   * one is under way, and the call has ended with that.
   */
  synchronized boolean failed(HedgedAttempt<A, R> attempt, EventType event, Throwable cause) {
    if (attempt.accounted) {
      return false;
    }
    attempt.accounted = true;
    failures.add(cause);
    underWay--;
    boolean inWork = event == EventType.FAILURE;
    if (inWork || !failedInWork) { // a refusal by our own gates says less than the work's failure
      failure = cause;
      ownFailure = attempt.hasOwnCause();
      failedInWork |= inWork;
    }
    if (underWay > 0 || !claims()) {
      return false;
    }
    endedBy = attempt;
    attempt.handPermitOver();
    whole.decideAfterRetries(event, null, failure, ownFailure);
    return true;
  }

  /** With the monitor. The caller decides the ending at once. */
  private boolean claims() {
    if (over || whole.claim() == ExecutionState.Claim.LOST) {
      return false;
    }
    over = true;
    counted = true;
    addEvents();
    return true;
  }

  private void addEvents() {
    if (attempts.size() > 1) {
      whole.add(EventType.HEDGE);
    }
    if (refused) {
      whole.add(EventType.HEDGE_REFUSED);
    }
    for (int i = 0; i < attempts.size(); i++) { // what others were counted as, so far
      EventType event = attempts.get(i).countedAs;
      if (attempts.get(i).accounted && event != null) {
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

  /**
   * The attempt that began next after {@code attempt}, the first one after null; null if there is
   * none. So that going through them takes no memory.
   */
  private synchronized @Nullable HedgedAttempt<A, R> after(@Nullable HedgedAttempt<A, R> attempt) {
    int index = attempt == null ? 0 : attempt.attempt(); // which are numbered from 1
    return index < attempts.size() ? attempts.get(index) : null;
  }

  // What its attempts are delivered to: those whose end was not handed over, because the thread
  // that
  // owned it is lost, or because they were ended from outside. On any thread; runs no user code.

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
    return cause == null
        ? endsWith(attempt, EventType.SUCCESS)
        : attempt.has(EventType.FAILURE) && failed(attempt, EventType.FAILURE, cause);
  }

  // As a part in work that is not the whole call's own.

  @Override
  public boolean first() {
    return false;
  }

  /** By the thread that claimed the call's ending: its deadline, its caller, closing. */
  @Override
  public void endedItself(EventType event) {
    HedgedAttempt<A, R> late;
    synchronized (this) {
      over = true;
      endedAs = event;
      late = tooLate;
      addEvents();
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
    if (late != null && event != EventType.CANCELLED) {
      hedges.endsAsItsCall(late, event);
    }
  }

  @Override
  public synchronized boolean workBegan() {
    for (HedgedAttempt<A, R> attempt : attempts) {
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
  public synchronized int times(EventType event, boolean present) {
    if (event == EventType.HEDGE) {
      return Math.max(0, attempts.size() - 1);
    }
    int times = 0;
    for (HedgedAttempt<A, R> attempt : attempts) {
      if (attempt.countedAs == event && event != EventType.ATTEMPT_OUTRUN) {
        times++;
      }
    }
    return times > 0 ? times : present ? 1 : 0;
  }

  @Override
  public synchronized int attempts() {
    return Math.max(1, attempts.size());
  }

  /** Null if that is what the call ended with. */
  @Override
  public @Nullable List<Throwable> failedAttempts() {
    List<Throwable> all;
    synchronized (this) {
      if (attempts.size() < 2) {
        return null;
      }
      all = new ArrayList<>(failures);
    }
    Throwable cause = whole.cause;
    if (cause != null && !containsItself(all, cause) && !whole.has(EventType.CANCELLED)) {
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
