// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.PublicationListener;
import dev.tenrec.core.internal.call.SharedRunPart;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.metrics.event.EventType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call whose first attempt has failed, and that is attempted again, or each of whose attempts has
 * a time-out: which attempt is under way, or when the next one is due. The call's execution is
 * RETRYING meanwhile. Whatever ends the call claims it from there, so it has one ending: a last
 * attempt, the deadline, or a thread that gives the call up.
 *
 * <p>It receives the ending of each attempt: one that was not handed over before, because the
 * thread that owned it is lost, or because it was ended from outside, ends the call.
 */
final class RetriedCall<A extends @Nullable Object, R extends @Nullable Object>
    implements SharedRunPart, PublicationListener<R> {

  /** Once, for each look at the values makes an array. */
  private static final EventType[] EVENTS = EventType.values();

  final Execution<A, R> whole;
  private final Pipeline<A, R> pipeline;

  /**
   * Null while it waits for the next one. Written by the thread that begins an attempt, before it
   * looks whether the call is given up, and by the thread that ends it; read by the thread that
   * gives the call up, after its claim. Ordered by volatile access: one of the two sees the other.
   */
  private volatile @Nullable Attempt<A, R> current;

  // Written by the owner of an attempt's ending; read by the thread that begins the next attempt or
  // claims the call's ending. Ordered by the attempt's publication, and by the writes of current.

  /** When the next attempt begins, or the present one was to. */
  private long dueNanos;

  /** How long the call waits for it, or has waited. */
  private long delayNanos;

  /** How many attempts have begun; written by the thread that begins one. */
  private int begun;

  /** What the call fails with if no attempt succeeds; null if none has failed. */
  private @Nullable Throwable failure;

  /** What {@link #failure} was counted as. */
  private EventType failedAs = EventType.FAILURE;

  /** Whether the engine made {@link #failure}. */
  private boolean ownFailure;

  /** Whether an attempt has failed, and was not refused by our own gates. */
  private boolean failedInWork;

  /** How often each event was the end of an attempt, and counted. */
  private final int[] ends = new int[EventType.COUNT];

  /** Whether a further attempt was wanted, and the budget had none. */
  private boolean exhausted;

  /**
   * Why the attempts failed that another one was to follow. Guarded by this object's monitor, for a
   * thread that ends the call may be faster than the owner of the last attempt's ending.
   */
  private final ArrayList<Throwable> failures = new ArrayList<>(2);

  /**
   * The last attempt whose failure is among them; null if that is the call's own execution. Guarded
   * as they are.
   */
  private @Nullable Attempt<A, R> added;

  /**
   * What the next attempt was drawn as, or the present one: null before the first retry. Written by
   * the owner of an attempt's ending before it looks whether the call has ended, read by the thread
   * that ends the call, after its claim: one of the two gives the token back.
   */
  private volatile @Nullable RetryToken token;

  /** Of a call whose attempts are executions of their own, from the first on. */
  RetriedCall(Execution<A, R> whole) {
    this.whole = whole;
    this.pipeline = whole.pipeline;
  }

  /** Of a call whose first attempt was its own execution, and has failed. */
  RetriedCall(Execution<A, R> whole, EventType event, Throwable failure) {
    this(whole);
    this.begun = 1;
    this.failure = failure;
    this.failedAs = event;
    this.ownFailure = whole.hasOwnCause();
    this.failedInWork = event == EventType.FAILURE;
    failures.add(failure);
    counted(event);
  }

  /** An attempt has ended with this, which was counted. */
  void counted(EventType event) {
    ends[event.ordinal()]++;
  }

  @Nullable Attempt<A, R> current() {
    return current;
  }

  int begun() {
    return begun;
  }

  long delayNanos() {
    return delayNanos;
  }

  long dueNanos() {
    return dueNanos;
  }

  void exhausted() {
    exhausted = true;
  }

  /** The next attempt is drawn; given back if that does not begin. */
  void holds(RetryToken drawn) {
    token = drawn;
  }

  private void giveTokenBack() {
    RetryToken present = token;
    if (present != null) {
      present.giveBack();
    }
  }

  /** From now on, {@link #add} takes no memory. */
  synchronized void makeRoom() {
    failures.ensureCapacity(failures.size() + 1);
  }

  /** An attempt has failed, and another one is to follow. */
  synchronized void add(Attempt<A, R> failed, Throwable cause) {
    failures.add(cause);
    added = failed;
  }

  /** Why the attempt failed that the next one follows. */
  synchronized Throwable lastFailure() {
    return failures.get(failures.size() - 1);
  }

  @Override
  public int attempts() {
    return begun;
  }

  /** The first attempt of a call that has not begun. */
  Attempt<A, R> first(long now) {
    Attempt<A, R> first = new Attempt<>(this, 1, now);
    begun = 1;
    current = first;
    return first;
  }

  /** Null if that is what the call ended with. */
  @Override
  public @Nullable List<Throwable> failedAttempts() {
    if (begun < 2) {
      return null;
    }
    Attempt<A, R> last = current;
    synchronized (this) {
      List<Throwable> all = new ArrayList<>(failures);
      if (last != null && last != added && last.cause != null && !last.has(EventType.CANCELLED)) {
        all.add(last.cause);
      }
      return Collections.unmodifiableList(all);
    }
  }

  /** The next attempt is due so long after {@code now}. */
  void waits(long delay, long now) {
    delayNanos = delay;
    dueNanos = now + delay;
    current = null;
  }

  /**
   * The next attempt, if the call is not given up: the thread that gives it up from now on finds
   * the attempt.
   */
  @Nullable Attempt<A, R> next(long now) {
    Attempt<A, R> next = new Attempt<>(this, begun + 1, now);
    current = next;
    if (!whole.isRetrying() || !Objects.requireNonNull(token).spend()) {
      return null;
    }
    begun++;
    return next;
  }

  /**
   * What the whole call failed with if no attempt follows: a refusal by our own gates says less
   * than the work's failure before it.
   */
  void failedWith(Attempt<A, R> attempt, EventType event, Throwable cause) {
    boolean inWork = event == EventType.FAILURE;
    boolean late = event == EventType.TIMEOUT || event == EventType.DEADLINE_EXCEEDED;
    if (inWork || late || !failedInWork) {
      failure = cause;
      failedAs = event;
      ownFailure = attempt.hasOwnCause();
      failedInWork |= inWork || late;
    }
  }

  /**
   * By the owner of an attempt's ending, which no attempt follows: the call ends with it, decided
   * and not answered. False if the call has been ended otherwise.
   */
  boolean endsWith(Attempt<A, R> attempt, EventType event, @Nullable Throwable cause) {
    if (!claims()) {
      return false;
    }
    attempt.handPermitOver();
    addEvents();
    if (cause == null) {
      whole.decideAfterRetries(EventType.SUCCESS, attempt.value(), null, false);
    } else if (event == EventType.CANCELLED || event == EventType.BAD_REQUEST) {
      whole.decideAfterRetries(event, null, cause, attempt.hasOwnCause());
    } else {
      failedWith(attempt, event, cause);
      whole.decideAfterRetries(event, null, failure, ownFailure);
    }
    return true;
  }

  /** No attempt follows the last one that failed. False if the call has been ended otherwise. */
  boolean endsWithLastFailure() {
    if (!claims()) {
      return false;
    }
    addEvents();
    whole.decideAfterRetries(failedAs, null, failure, ownFailure);
    return true;
  }

  /** The call is given up. False if it has been ended otherwise. */
  boolean endsCancelled(Throwable why) {
    if (!claims()) {
      return false;
    }
    addEvents();
    whole.decideAfterRetries(EventType.CANCELLED, null, why, true);
    return true;
  }

  /** What the call fails with now. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** As what that was counted. */
  EventType failedAs() {
    return failedAs;
  }

  private boolean claims() {
    if (!whole.claimRetry()) {
      return false;
    }
    try {
      giveTokenBack(); // nothing, if its attempt has begun
      pipeline.runtime.engine.stages().removeWaiting(whole);
    } catch (Throwable thrown) { // no memory: the caller decides the ending in any case
      pipeline.runtime.failedToSettle(thrown);
    }
    return true;
  }

  private void addEvents() {
    if (begun > 1) {
      whole.add(EventType.RETRY);
    }
    if (exhausted) {
      whole.add(EventType.RETRY_BUDGET_EXHAUSTED);
    }
    for (int i = 0; i < ends.length; i++) { // what its attempts were counted as
      if (ends[i] > 0) {
        whole.add(EVENTS[i]);
      }
    }
  }

  /**
   * By a thread that finds the present attempt over and the call not: ends that, decided and not
   * answered. False if the call has its ending, or waits for its next attempt, or for the end of
   * one.
   */
  boolean endsWithCurrent() {
    Attempt<A, R> ended = current;
    return ended != null && ended.isDecided() && endsInPlaceOfOwner(ended);
  }

  /** With an attempt that is decided. */
  private boolean endsInPlaceOfOwner(Attempt<A, R> ended) {
    if (!whole.isRetrying()) {
      return false;
    }
    EventType event = ended.endEvent();
    if (!endsWith(ended, event, ended.cause)) {
      return false;
    }
    if (event == EventType.SUCCESS) { // its owner finds the call ended, and counts nothing
      countSuccess(ended);
    }
    return true;
  }

  private void countSuccess(Attempt<A, R> attempt) {
    counted(EventType.SUCCESS);
    try {
      long now = pipeline.now();
      pipeline.runtime.recorder.decided(
          attempt.plan, attempt.permission, EventType.SUCCESS, attempt.workedNanos(now), now);
    } catch (Throwable thrown) { // no memory for a thread's first count, or for a transition
      pipeline.runtime.failedToSettle(thrown);
    }
  }

  /**
   * An attempt has ended, and the call perhaps not. Another one may be under way by now: this may
   * come late. On any thread; runs no user code here.
   */
  private void endUnlessHandedOver() {
    Attempt<A, R> present = current;
    if (present != null && present.isAnswered() && endsInPlaceOfOwner(present)) {
      pipeline.completion.leaveIfHolder(whole);
      pipeline.abandonment.concludeApart(whole);
    }
  }

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

  // As a part in work that is not the whole call's own.

  @Override
  public boolean first() {
    return false;
  }

  @Override
  public int times(EventType event, boolean present) {
    return switch (event) {
      case RETRY -> begun - 1;
      case SUCCESS,
          FAILURE,
          TIMEOUT,
          BAD_REQUEST,
          SHORT_CIRCUITED,
          THREAD_POOL_REJECTED,
          SEMAPHORE_REJECTED,
          RATE_LIMITED ->
          ends[event.ordinal()];
      default -> present ? 1 : 0;
    };
  }

  @Override
  public boolean isUndecided() {
    Attempt<A, R> present = current;
    return present != null && present.isAboutToAnswer() && whole.isRetrying();
  }

  /** It cannot: it was launched, or refused, long before it had a part in further attempts. */
  @Override
  public void endedItself(EventType event) {}

  /** The whole call is given up. */
  @Override
  public void leave(boolean interrupt) {
    pipeline.runtime.engine.stages().removeWaiting(whole);
    Attempt<A, R> present = current;
    if (present != null) {
      boolean unused = present.giveUp(interrupt);
    }
  }

  @Override
  public void leaveApart(boolean interrupt) {
    pipeline.runtime.engine.stages().removeWaiting(whole);
    Attempt<A, R> present = current;
    if (present != null) {
      Throwable why = Errors.present(whole.cause);
      boolean unused = pipeline.abandonment.giveUp(present, EventType.CANCELLED, why, interrupt);
    }
  }
}
