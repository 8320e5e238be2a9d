// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.metrics.event.EventType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call, in rounds. A round begins with one attempt, beside which hedges may
 * begin. It is over when all of its attempts have failed; then the owner of the last ending decides
 * whether another round follows. The call waits for that without an attempt. Without a retry there
 * is one round.
 *
 * <p>This says what may begin, and is the timer's node for the first round's hedge; later rounds
 * have nodes of their own. How the call ends is for {@link HedgedCall} to say, which is the same
 * object, so that a call whose first round answers has no other.
 *
 * <p>What is not final is guarded by this object's monitor, which no user code runs under and no
 * thread waits in.
 */
abstract class AttemptRounds<A extends @Nullable Object, R extends @Nullable Object>
    extends Timeout {

  final Execution<A, R> whole;
  final Pipeline<A, R> pipeline;

  /** How long an attempt's work is out before another one begins beside it. */
  final long delayNanos;

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
   * timer's thread, after which the next round may begin: what is due looks again, with the
   * monitor.
   */
  private volatile int round = 1;

  /** How many hedges of this round have begun. */
  private int hedgesOfRound;

  /** The last attempt whose work has begun the delay of the next; 0 if none has. */
  private int delayedFor;

  /** How many attempts have not failed. */
  private int underWay;

  /** Whose owner decides whether a round follows; null if that is not open. */
  private @Nullable HedgedAttempt<A, R> deciding;

  /** What the next round was drawn as, while that waits; null if none does. */
  private @Nullable RetryToken drawn;

  /** How long the last round waited. */
  private long waitedNanos;

  /** Whether a round was wanted, and the budget had none. */
  private boolean exhausted;

  /** Whether a hedge was due that did not begin. */
  private boolean refused;

  /** What the call goes on with on its caller's thread, which waits; null if nothing was yet. */
  private @Nullable ArrayDeque<CallbackTask> forCaller;

  /** Whether the call's ending is claimed by a thread that gives up what is under way. */
  private boolean over;

  /** Of a call that has begun no attempt. */
  AttemptRounds(Execution<A, R> whole, long delayNanos, int most) {
    super(whole.startNanos + delayNanos); // which is postponed before it is armed
    this.whole = whole;
    this.pipeline = whole.pipeline;
    this.delayNanos = delayNanos;
    this.most = most;
    this.mostHedges = whole.plan.settings.hedge().atMost();
    int room = Math.min(mostHedges + 1, most);
    this.attempts = new ArrayList<>(room);
    this.failures = new ArrayList<>(room);
  }

  // The attempts of a round.

  /**
   * From now on the thread that ends the call finds the first attempt. False if it has been ended.
   */
  final synchronized boolean addFirst(HedgedAttempt<A, R> attempt) {
    if (over || whole.isClaimed()) {
      return false;
    }
    attempts.add(attempt);
    underWay++;
    return true;
  }

  /** As {@link #addFirst}, for a hedge. False also if its round is over. */
  final synchronized boolean add(HedgedAttempt<A, R> hedge) {
    if (hedge.round != round || underWay == 0 || !addFirst(hedge)) {
      return false;
    }
    hedgesOfRound++;
    return true;
  }

  /**
   * With the monitor: an attempt has failed. True if that was the end of its round, and the call
   * has not been ended: then the owner of that ending decides what follows.
   */
  final boolean endsRound(HedgedAttempt<A, R> failed, Throwable cause) {
    failures.add(cause);
    underWay--;
    if (underWay > 0 || over) {
      return false;
    }
    deciding = failed;
    return true;
  }

  final synchronized boolean isDeciding(HedgedAttempt<A, R> attempt) {
    return deciding == attempt;
  }

  // When a hedge begins.

  /** Whether the delay of a hedge begins with this attempt's work: once for each. */
  final synchronized boolean beginsDelay(HedgedAttempt<A, R> attempt) {
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
   * The timer's node for the hedge that is due so long after {@code now}. In the first round that
   * is this, which no timer holds; it may still hold it in a later one.
   */
  final Timeout dueIn(long nanos, int ofRound, long now) {
    if (ofRound == 1) {
      postpone(now + nanos);
      return this;
    }
    return new RoundTimeout(
        this, ofRound, now + nanos, new CallTask(whole, () -> beginHedge(ofRound)), false);
  }

  /** A hedge of the first round is of no use any more. */
  @Override
  protected final boolean isEnded() {
    return isRoundOver(1);
  }

  /** Whether what is due in that round is of no use any more. */
  final boolean isRoundOver(int thatRound) {
    return whole.isClaimed() || round != thatRound;
  }

  /** On the timer's thread: begins the next attempt elsewhere. */
  @Override
  protected final void expired() {
    pipeline.runtime.callbacks().execute(new CallTask(whole, () -> beginHedge(1)));
  }

  /** In the command's share: a hedge of that round is due. Throws nothing. */
  abstract void beginHedge(int ofRound);

  /**
   * Whether a hedge may begin in that round. Not while the call waits for its next round: of one
   * that is over, no attempt is under way any more.
   */
  final synchronized boolean takesHedge(int ofRound) {
    return !over && ofRound == round && underWay > 0;
  }

  /** A hedge was due, and does not begin. */
  final synchronized void refused() {
    refused = true;
  }

  // How a round follows another.

  /** Which one is under way, or was the last. */
  final int round() {
    return round;
  }

  /** How long the call waited for its last round; 0 before the second. */
  final synchronized long waitedNanos() {
    return waitedNanos;
  }

  /** Another round was wanted, and the budget has none. */
  final synchronized void exhausted() {
    exhausted = true;
  }

  /** From now on the attempts of another round take no memory here. */
  final synchronized void makeRoom() {
    int all = attempts.size() + Math.min(mostHedges + 1, most - attempts.size());
    attempts.ensureCapacity(all);
    failures.ensureCapacity(all);
  }

  /**
   * By the owner of the ending that a round ended with: another one follows, after a wait. False if
   * the call has been ended; else what was drawn is given back by the thread that ends it.
   */
  final synchronized boolean waits(HedgedAttempt<A, R> decided, RetryToken token, long delay) {
    if (deciding != decided || over || whole.isClaimed()) {
      return false;
    }
    deciding = null;
    drawn = token;
    waitedNanos = delay;
    return true;
  }

  /** Why the attempt failed that the next round follows. */
  final synchronized Throwable lastFailure() {
    return failures.get(failures.size() - 1);
  }

  /** Whether the call waits for its next round. With the monitor. */
  final boolean waitsForRound() {
    return drawn != null && !over;
  }

  /**
   * With the monitor: the next round begins with this attempt. False if the call has been ended.
   */
  final boolean beginsRound(HedgedAttempt<A, R> first) {
    RetryToken token = drawn;
    // it was made before this look, or it may have no argument any more
    if (token == null || over || whole.isClaimed() || !token.spend()) {
      return false;
    }
    drawn = null;
    round = first.round;
    hedgesOfRound = 0;
    attempts.add(first);
    underWay++;
    return true;
  }

  // What the timer leaves to the caller.

  /**
   * On the timer's thread: the call goes on with this, on its caller's thread if that waits, so
   * that it needs none of the command's share; else there.
   */
  final void goOn(CallbackTask next) {
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
  final synchronized @Nullable CallbackTask nextForCaller() {
    return forCaller == null ? null : forCaller.poll();
  }

  // When the call ends.

  /**
   * With the monitor, by the thread that has claimed the call's ending: nothing begins any more.
   */
  final void endRounds() {
    over = true;
    deciding = null;
    RetryToken token = drawn;
    drawn = null;
    if (token != null) {
      giveBack(token);
    }
    addEvents();
  }

  private void giveBack(RetryToken token) {
    try {
      token.giveBack();
      pipeline.runtime.engine.stages().removeWaiting(whole);
    } catch (Throwable thrown) { // no memory: the ending that is claimed is decided in any case
      pipeline.runtime.failedToSettle(thrown);
    }
  }

  private void addEvents() {
    if (round > 1) {
      whole.add(EventType.RETRY);
    }
    if (exhausted) {
      whole.add(EventType.RETRY_BUDGET_EXHAUSTED);
    }
    if (hedgesBegun() > 0) {
      whole.add(EventType.HEDGE);
    }
    if (refused) {
      whole.add(EventType.HEDGE_REFUSED);
    }
  }

  /** Whether the call's ending is known here. */
  final synchronized boolean isOver() {
    return over;
  }

  /** How many attempts are under way, or have ended and not failed. */
  final synchronized int underWay() {
    return underWay;
  }

  /** How many attempts have begun. */
  final synchronized int begun() {
    return attempts.size();
  }

  /** How many of them are hedges. With the monitor. */
  final int hedgesBegun() {
    return Math.max(0, attempts.size() - round);
  }

  /** A copy of why attempts failed, in that order. */
  final synchronized List<Throwable> failures() {
    return new ArrayList<>(failures);
  }

  /**
   * The attempt that began next after {@code attempt}, the first one after null; null if there is
   * none. So that going through them takes no memory.
   */
  final synchronized @Nullable HedgedAttempt<A, R> after(@Nullable HedgedAttempt<A, R> attempt) {
    int index = attempt == null ? 0 : attempt.attempt(); // which are numbered from 1
    return index < attempts.size() ? attempts.get(index) : null;
  }
}
