// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.ExecutionState;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.PublicationListener;
import dev.tenrec.core.internal.call.SharedRunPart;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.metrics.event.EventType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of a call that may be hedged, and the timer's node for the moment when the first
 * hedge is due. The call's execution has no work; it is claimed once: by the first attempt that
 * succeeds, by the last one that fails, or by what ends any call: its deadline, its caller,
 * closing. The thread that claims it gives up what is still under way.
 *
 * <p>Where failures are retried, the attempts come in rounds: when all that began have failed, the
 * owner of the last ending decides whether another round follows. It waits for that without an
 * attempt; the round begins with one, beside which others may begin. Without a retry there is one
 * round.
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

  /** How many attempts there are at most, in all rounds. */
  private final int most;

  /** How many of a round are hedges at most. */
  private final int mostHedges;

  /**
   * In the order of their beginning. It has room for all of a round, so that to add one takes no
   * memory.
   */
  private final ArrayList<HedgedAttempt<A, R>> attempts;

  /** Why attempts failed, in that order. It has room for all, too. */
  private final ArrayList<Throwable> failures;

  /**
   * From 1. Written with the monitor, by the thread that begins a round; read without it by the
   * timer's thread, which may find it a moment old: what is due then looks again.
   */
  private volatile int round = 1;

  /** How many hedges of this round have begun. */
  private int hedgesOfRound;

  /** Whose owner decides whether a round follows; null if that is not open. */
  private @Nullable HedgedAttempt<A, R> deciding;

  /** What the next round was drawn as, while that waits; null if none does. */
  private @Nullable RetryToken drawn;

  /** How long the last round waited. */
  private long waitedNanos;

  /** Whether a round was wanted, and the budget had none. */
  private boolean exhausted;

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

  /**
   * What succeeded, or was ended by closing, when the call had been ended from outside, and before
   * that was known here.
   */
  private @Nullable HedgedAttempt<A, R> tooLate;

  /** The attempt that ended the call; null if none did, or none has yet. */
  private @Nullable HedgedAttempt<A, R> endedBy;

  /** What the call fails with if no attempt succeeds, and whether that is the engine's. */
  private @Nullable Throwable failure;

  private EventType failedAs = EventType.FAILURE;
  private boolean ownFailure;
  private boolean failedInWork;

  /** Whether a hedge was due that did not begin. */
  private boolean refused;

  /** What the call goes on with on its caller's thread, which waits; null if nothing was yet. */
  private @Nullable ArrayDeque<CallbackTask> forCaller;

  /** Whether it was ended from outside while no attempt was under way. */
  private boolean endedBetween;

  /**
   * Of a call that has begun no attempt.
   *
   * @param most how many attempts there are at most
   */
  HedgedCall(Hedges<A, R> hedges, Execution<A, R> whole, long delayNanos, int most) {
    super(whole.startNanos + delayNanos); // which is postponed before it is armed
    this.hedges = hedges;
    this.whole = whole;
    this.pipeline = whole.pipeline;
    this.delayNanos = delayNanos;
    this.most = most;
    this.mostHedges = whole.plan.settings.hedge().atMost();
    int room = Math.min(mostHedges + 1, most);
    this.attempts = new ArrayList<>(room);
    this.failures = new ArrayList<>(room);
  }

  // When the next one begins.

  /** A hedge of the first round is of no use any more. */
  @Override
  protected boolean isEnded() {
    return isOver(1);
  }

  /** Whether what is due in that round is of no use any more. */
  boolean isOver(int thatRound) {
    return whole.isClaimed() || round != thatRound;
  }

  /** On the timer's thread: begins the next attempt elsewhere. */
  @Override
  protected void expired() {
    hedges.due(this);
  }

  /**
   * Whether a hedge may begin in that round. Not while the call waits for its next round: of one
   * that is over, no attempt is under way any more.
   */
  synchronized boolean takesHedge(int ofRound) {
    return !over && ofRound == round && underWay > 0;
  }

  /**
   * On the timer's thread: the call goes on with this, on its caller's thread if that waits, so
   * that it needs none of the command's share; else there.
   */
  void goOn(CallbackTask next) {
    if (whole.callerStays && leavesToCaller(next)) {
      pipeline.runtime.engine.waiter().wake(whole.caller);
    } else {
      pipeline.runtime.callbacks().execute(next);
    }
  }

  private synchronized boolean leavesToCaller(CallbackTask next) {
    if (over || whole.isClaimed()) { // its caller may have left
      return false;
    }
    try {
      if (forCaller == null) {
        forCaller = new ArrayDeque<>();
      }
      forCaller.add(next);
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** On the caller's thread: what to go on with; null if nothing is due. */
  synchronized @Nullable CallbackTask nextForCaller() {
    return forCaller == null ? null : forCaller.poll();
  }

  /**
   * The timer's node for the hedge that is due so long after {@code now}. In the first round that
   * is this, which no timer holds; it may still hold it in a later one.
   */
  Timeout dueIn(long nanos, int ofRound, long now) {
    if (ofRound == 1) {
      postpone(now + nanos);
      return this;
    }
    return new RoundTimeout(
        this, ofRound, now + nanos, CallbackTask.of(() -> hedges.begin(this, ofRound)), false);
  }

  /** How many attempts have begun. */
  synchronized int begun() {
    return attempts.size();
  }

  /** Whether the delay of a hedge begins with this attempt's work: once for each. */
  synchronized boolean beginsDelay(HedgedAttempt<A, R> attempt) {
    if (attempt.attempt() <= delayedFor
        || attempt.round != round
        || hedgesOfRound >= mostHedges
        || attempts.size() >= most) {
      return false;
    }
    delayedFor = attempt.attempt();
    return true;
  }

  /**
   * From now on the thread that ends the call finds the first attempt. False if it has been ended.
   */
  synchronized boolean addFirst(HedgedAttempt<A, R> attempt) {
    if (over || whole.isClaimed()) {
      return false;
    }
    attempts.add(attempt);
    underWay++;
    return true;
  }

  /** As {@link #addFirst}, for a hedge. False also if its round is over. */
  synchronized boolean add(HedgedAttempt<A, R> hedge) {
    if (hedge.round != round || underWay == 0 || !addFirst(hedge)) {
      return false;
    }
    hedgesOfRound++;
    return true;
  }

  synchronized void refused() {
    refused = true;
  }

  // How a round follows another.

  int round() {
    return round;
  }

  synchronized long waitedNanos() {
    return waitedNanos;
  }

  synchronized void exhausted() {
    exhausted = true;
  }

  /** From now on the attempts of another round take no memory here. */
  synchronized void makeRoom() {
    int all = attempts.size() + Math.min(mostHedges + 1, most - attempts.size());
    attempts.ensureCapacity(all);
    failures.ensureCapacity(all);
  }

  /**
   * By the owner of the ending that a round ended with: another one follows, after a wait. False if
   * the call has been ended; else what was drawn is given back by the thread that ends it.
   */
  synchronized boolean waits(HedgedAttempt<A, R> decided, RetryToken token, long delay) {
    if (deciding != decided || over || whole.isClaimed()) {
      return false;
    }
    deciding = null;
    drawn = token;
    waitedNanos = delay;
    return true;
  }

  /** Why the attempt failed that the next round follows. */
  synchronized Throwable lastFailure() {
    return failures.get(failures.size() - 1);
  }

  /** The first attempt of the next round; null if the call has been ended, or the round begun. */
  synchronized @Nullable HedgedAttempt<A, R> next(long now) {
    RetryToken token = drawn;
    if (over || token == null) {
      return null;
    }
    HedgedAttempt<A, R> next = new HedgedAttempt<>(this, attempts.size() + 1, round + 1, now);
    if (whole.isClaimed() || !token.spend()) { // or it may have no argument any more
      return null;
    }
    drawn = null;
    round = next.round;
    hedgesOfRound = 0;
    attempts.add(next);
    underWay++;
    return next;
  }

  // How it ends.

  /**
   * By the owner of an attempt's ending: what that counts as, null if nothing. The call ends with
   * it here if no other attempt could change that.
   */
  @Nullable EventType ends(HedgedAttempt<A, R> attempt, EventType event) {
    // no switch: see Pipeline.stopped
    if (event == EventType.TIMEOUT && attempt.endsBeforeItsCall() && !isOver()) {
      return event; // which is its own, and a failure as any
    }
    if (event == EventType.SUCCESS) {
      // or another thread has taken this one for lost, and ended the call with it
      return endsWith(attempt, event) || isEndedBy(attempt) ? event : endsTooLate(attempt);
    }
    if (event == EventType.TIMEOUT || event == EventType.DEADLINE_EXCEEDED) {
      // a deadline is that of all attempts
      return endsWith(attempt, event) || takesCount() ? event : EventType.ATTEMPT_OUTRUN;
    }
    if (event == EventType.CANCELLED) { // which is counted with the answer, or for the call
      return endsWith(attempt, event) ? null : endsTooLate(attempt); // closing may end it alone
    }
    if (event == EventType.BAD_REQUEST) {
      boolean unused = endsWith(attempt, event);
    }
    return event;
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

  private synchronized boolean isOver() {
    return over;
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
    failures.add(cause);
    underWay--;
    boolean inWork = event == EventType.FAILURE || event == EventType.TIMEOUT;
    if (inWork || !failedInWork) { // a refusal by our own gates says less than the work's failure
      failure = cause;
      failedAs = event;
      ownFailure = attempt.hasOwnCause();
      failedInWork |= inWork;
    }
    if (underWay > 0 || over) {
      return false;
    }
    deciding = attempt;
    return true;
  }

  /**
   * By the owner of an attempt's ending, or in its place, where none is under way and no round
   * follows: the call ends with what its attempts failed with. False if it has been ended.
   *
   * @param attempt that failed just now; null if the next round was waited for
   */
  synchronized boolean endsFailed(@Nullable HedgedAttempt<A, R> attempt) {
    if (!claims()) {
      return false;
    }
    endedBy = attempt;
    if (attempt != null) {
      attempt.handPermitOver();
    }
    whole.decideAfterRetries(failedAs, null, failure, ownFailure);
    return true;
  }

  /** As what {@link #endsFailed} counts. */
  synchronized EventType failedAs() {
    return failedAs;
  }

  /** With the monitor. The caller decides the ending at once. */
  private boolean claims() {
    if (over || whole.claim() == ExecutionState.Claim.LOST) {
      return false;
    }
    over = true;
    counted = true;
    waitsNoMore();
    addEvents();
    return true;
  }

  /** With the monitor, by the thread that has claimed the ending. */
  private void waitsNoMore() {
    deciding = null;
    RetryToken token = drawn;
    drawn = null;
    if (token != null) {
      token.giveBack();
      pipeline.runtime.engine.stages().removeWaiting(whole);
    }
  }

  private void addEvents() {
    if (round > 1) {
      whole.add(EventType.RETRY);
    }
    if (exhausted) {
      whole.add(EventType.RETRY_BUDGET_EXHAUSTED);
    }
    if (attempts.size() > round) {
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
    EventType event = attempt.has(EventType.FAILURE) ? EventType.FAILURE : EventType.TIMEOUT;
    boolean ownEnd =
        event == EventType.FAILURE || attempt.has(event) && attempt.endsBeforeItsCall();
    return (isDeciding(attempt) || ownEnd && failed(attempt, event, cause)) && endsFailed(attempt);
  }

  private synchronized boolean isDeciding(HedgedAttempt<A, R> attempt) {
    return deciding == attempt;
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
      endedBetween = underWay == 0;
      late = tooLate;
      waitsNoMore();
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
    if (event == EventType.RETRY) {
      return round - 1;
    }
    if (event == EventType.HEDGE) {
      return Math.max(0, attempts.size() - round);
    }
    int times = 0;
    for (HedgedAttempt<A, R> attempt : attempts) {
      if (attempt.countedAs == event && event != EventType.ATTEMPT_OUTRUN) {
        times++;
      }
    }
    return times > 0 ? times : present && !isUncounted(event) ? 1 : 0;
  }

  /** Between two rounds there is no attempt to count why the call was ended from outside. */
  private boolean isUncounted(EventType event) {
    return endedBetween && event == endedAs && event != EventType.CANCELLED && !attempts.isEmpty();
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
