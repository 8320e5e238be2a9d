// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.call.AttemptEntry;
import dev.tenrec.core.internal.call.CallerWait;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Errors;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.ExecutionState;
import dev.tenrec.core.internal.call.FurtherAttempts;
import dev.tenrec.core.internal.call.LoadedEarly;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.call.TimeoutGuard;
import dev.tenrec.core.internal.retry.Backoff;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.core.internal.retry.SharedBudget;
import dev.tenrec.core.retry.Retry;
import dev.tenrec.metrics.event.EventType;
import java.lang.invoke.MethodHandles;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Attempts the calls of one command again. The first attempt is the call's own execution, so a call
 * that succeeds at once pays nothing; each further one is an {@link Attempt}.
 *
 * <p>A caller that waits is its own timer here, too: it sleeps until the next attempt is due, and
 * begins it. For a call that no caller waits for, the timer has it begun in the command's share.
 */
public final class Retries<A extends @Nullable Object, R extends @Nullable Object>
    implements FurtherAttempts {

  static { // with the command: see there
    LoadedEarly.initialize(
        MethodHandles.lookup(),
        Attempt.class,
        Backoff.class,
        CallTask.class,
        RetriedCall.class,
        RetryTimeout.class,
        RetryToken.class);
  }

  private final Pipeline<A, R> pipeline;
  private final CommandRuntime runtime;
  private final Engine engine;
  private final RetryRules rules;
  private final AttemptEntry<A, R> entry;

  Retries(Pipeline<A, R> pipeline, RetryRules rules) {
    this.pipeline = pipeline;
    this.runtime = pipeline.runtime;
    this.engine = runtime.engine;
    this.rules = rules;
    this.entry = new AttemptEntry<>(pipeline);
  }

  /**
   * What makes a command's further attempts.
   *
   * @param retry by which rules; null if there are none
   * @param shared what they are drawn on; null for the command's own budget
   * @return null if there are none
   */
  public static <A extends @Nullable Object, R extends @Nullable Object>
      @Nullable Function<Pipeline<A, R>, FurtherAttempts> by(
          @Nullable Retry retry, @Nullable SharedBudget shared) {
    return retry == null
        ? null
        : pipeline -> new Retries<>(pipeline, new RetryRules(pipeline.runtime, retry, shared));
  }

  /** Only where each attempt has a time-out: else the first one is the call's own execution. */
  @Override
  public boolean takes(ExecutionState state) {
    Execution<A, R> whole = execution(state);
    if (whole.share != null || !whole.plan.settings.retry().limitsAttempts()) {
      return false;
    }
    pipeline.captureContext(whole);
    if (whole.isClaimed()) { // that failed, or its caller gave up
      return true;
    }
    if (!whole.callerStays) { // else its attempts and its waiting heed its deadline
      pipeline.armDeadline(whole);
      if (whole.isClaimed()) { // there is no timer for it, or it was closed
        return true;
      }
    }
    RetriedCall<A, R> call = new RetriedCall<>(whole);
    long now = pipeline.now();
    Attempt<A, R> first = call.first(now);
    whole.share = call;
    if (whole.openAttempts()) {
      entry.run(first, now);
    } else { // it could not be begun, or its caller gave up
      whole.share = null;
    }
    return true;
  }

  @Override
  public boolean goesOn(ExecutionState ended, EventType event, @Nullable Throwable cause) {
    if (ended instanceof Attempt) {
      attemptEnded(attempt(ended), event, cause);
      return true;
    }
    Execution<A, R> first = execution(ended);
    // one that shares a run has no attempts of its own, and one that has had several ends now
    return cause != null && first.share == null && firstFailed(first, event, cause);
  }

  private boolean firstFailed(Execution<A, R> first, EventType event, Throwable cause) {
    if (first.isRetryRefused()) { // so neither a predicate nor the budget is asked
      return false;
    }
    long now = pipeline.now();
    long delay = rules.delayNanos(first, event, cause, false, 1, 1, 0, now);
    if (delay == RetryRules.NONE) {
      return false;
    }
    RetryToken drawn = rules.draw(now);
    if (drawn == null) {
      first.add(EventType.RETRY_BUDGET_EXHAUSTED);
      return false;
    }
    boolean waits = false;
    try {
      waits = firstWaits(first, event, cause, drawn, delay, now);
    } finally { // closed, given up meanwhile, or no memory
      if (!waits) {
        drawn.giveBack();
      }
    }
    return waits;
  }

  private boolean firstWaits(
      Execution<A, R> first,
      EventType event,
      Throwable cause,
      RetryToken drawn,
      long delay,
      long now) {
    RetriedCall<A, R> call = new RetriedCall<>(first, event, cause);
    call.holds(drawn);
    call.waits(delay, now);
    if (event != EventType.FAILURE) { // refused before its context was needed
      pipeline.captureContext(first);
    }
    RetryTimeout timeout = first.callerStays ? null : timeoutOf(call, call.dueNanos());
    pipeline.completion.leaveIfHolder(first); // while it waits, it holds no permit
    first.share = call;
    if (!engine.stages().addWaiting(first) || !first.openRetry()) {
      engine.stages().removeWaiting(first);
      first.share = null;
      return false;
    }
    if (timeout != null && !first.isLaunched() && !isArmed(first)) {
      endWithLastFailure(call);
      return true;
    }
    comesAgain(call, timeout);
    return true;
  }

  /**
   * The gates have refused it, so its deadline was not armed on its way in. Not before it waits:
   * the timer ends it by its deadline then. False if it was closed, or there is no thread for the
   * timer.
   */
  private boolean isArmed(Execution<A, R> first) {
    try {
      return TimeoutGuard.arm(first);
    } catch (Throwable thrown) {
      runtime.failedToSettle(thrown);
      return false;
    }
  }

  private void attemptEnded(Attempt<A, R> ended, EventType event, @Nullable Throwable cause) {
    RetriedCall<A, R> call = ended.call;
    try {
      if (cause != null && waitsAgain(call, ended, event, cause)) {
        return;
      }
    } catch (Throwable thrown) { // no memory: it was the last, and gives back what it holds
      runtime.failedToSettle(thrown);
    }
    boolean won = ended.hasWon() || call.endsWith(ended, event, cause);
    pipeline.completion.leaveIfHolder(ended); // unless the whole call has it now
    pipeline.completion.answerQuietly(ended);
    if (won) {
      pipeline.conclude(call.whole, event, call.whole.cause);
    }
  }

  private boolean waitsAgain(
      RetriedCall<A, R> call, Attempt<A, R> ended, EventType event, Throwable cause) {
    long now = pipeline.now();
    boolean tookTooLong = isOverItsOwnTime(ended, event);
    int begun = call.begun();
    long delay =
        rules.delayNanos(ended, event, cause, tookTooLong, begun, begun, call.delayNanos(), now);
    if (delay == RetryRules.NONE) {
      return false;
    }
    RetryToken drawn = rules.draw(now);
    if (drawn == null) {
      call.exhausted();
      return false;
    }
    call.holds(drawn); // from now on the thread that ends the call gives it back
    // first what may find no memory: as long as nothing has changed, the call can still end
    call.makeRoom();
    RetryTimeout timeout = call.whole.callerStays ? null : timeoutOf(call, now + delay);
    if (!engine.stages().addWaiting(call.whole) || !call.whole.isRetrying()) {
      engine.stages().removeWaiting(call.whole); // it has been closed, or given up meanwhile
      drawn.giveBack();
      return false;
    }
    call.add(ended, cause);
    pipeline.completion.leaveIfHolder(ended);
    call.failedWith(ended, event, cause);
    call.waits(delay, now);
    pipeline.completion.answerQuietly(ended); // from now on a caller that waits goes on by itself
    comesAgain(call, timeout);
    return true;
  }

  private RetryTimeout timeoutOf(RetriedCall<A, R> call, long dueNanos) {
    return new RetryTimeout(call, dueNanos, new CallTask(call.whole, () -> begin(call)));
  }

  /** Waiting threads see that it waits; the next attempt may have begun by now. */
  private void comesAgain(RetriedCall<A, R> call, @Nullable RetryTimeout timeout) {
    Execution<A, R> whole = call.whole;
    if (timeout == null) {
      if (Thread.currentThread() != whole.caller) {
        engine.waiter().wake(whole.caller);
      }
      return;
    }
    try {
      // late: the timer has seen the deadline while it was decided whether another attempt follows
      if (!whole.isRetrying() || !whole.isLate(pipeline.now()) && engine.timer().arm(timeout)) {
        return;
      }
    } catch (Throwable thrown) { // the system has no thread for the timer
      runtime.failedToSettle(thrown);
    }
    endWithLastFailure(call);
  }

  /** Whether it is over because one attempt has so much time, and not because the call has. */
  private boolean isOverItsOwnTime(ExecutionState ended, EventType event) {
    return event == EventType.TIMEOUT
        && ended instanceof Attempt
        && attempt(ended).endsBeforeItsCall();
  }

  /**
   * Begins the next attempt: on the caller's thread, if that waits, and until its end; else on a
   * thread of the command's share.
   */
  private void begin(RetriedCall<A, R> call) {
    try {
      Execution<A, R> whole = call.whole;
      reportAttempt(call); // while the call still waits, so that closing finds it
      engine.stages().removeWaiting(whole);
      long now = pipeline.now();
      if (!mayBegin(whole, now)) {
        endWithLastFailure(call);
        return;
      }
      Attempt<A, R> attempt = call.next(now);
      if (attempt != null) {
        rules.countRetry(now);
        if (whole.callerStays) {
          entry.run(attempt, now);
        } else {
          entry.runApart(attempt, now);
        }
      }
    } catch (Throwable thrown) { // no memory
      runtime.failedToSettle(thrown);
      endWithLastFailure(call);
    }
  }

  /** Whether it is still wanted: retries may have been switched off while it was waited for. */
  private boolean mayBegin(Execution<A, R> whole, long now) {
    return !whole.isLate(now) && rules.areOn();
  }

  /** Runs users' listeners. Throws nothing. */
  private void reportAttempt(RetriedCall<A, R> call) {
    if (!engine.listeners().isEmpty() && mayBegin(call.whole, pipeline.now())) {
      engine.listeners().attemptStarts(call.whole, call.begun() + 1, call.lastFailure());
    }
  }

  private void endWithLastFailure(RetriedCall<A, R> call) {
    if (call.endsWithLastFailure()) {
      pipeline.conclude(call.whole, call.failedAs(), call.failure());
    }
  }

  @Override
  public boolean followRefusals() {
    return rules.followRefusals();
  }

  @Override
  public void awaitHere(ExecutionState state) {
    Execution<A, R> whole = execution(state);
    RetriedCall<A, R> call = call(whole);
    Attempt<A, R> present = call.current();
    if (present != null && !present.isAnswered()) { // there was no memory to wait for it
      CallerWait.untilAnswered(present, engine);
    } else if (present != null && present.has(EventType.TIMEOUT) && present.endsBeforeItsCall()) {
      attemptEnded(present, EventType.TIMEOUT, present.cause); // the timer has left that to here
    } else if (present != null) { // it is over, but its end was not handed over
      if (call.endsWithCurrent()) {
        pipeline.conclude(whole, present.endEvent(), whole.cause);
      }
    } else if (Thread.currentThread().isInterrupted()) {
      interrupted(call);
    } else if (pipeline.now() - call.dueNanos() >= 0) {
      begin(call);
    } else {
      engine.waiter().awaitUntil(call.dueNanos());
    }
  }

  private void interrupted(RetriedCall<A, R> call) {
    Throwable why;
    try {
      why = Errors.interrupted(pipeline.commandKey(), runtime.stackTraces);
    } catch (OutOfMemoryError e) { // the caller waits, and gets that
      why = e;
    }
    if (call.endsCancelled(why)) {
      pipeline.completion.answer(call.whole);
    }
  }

  @Override
  public boolean cancels(ExecutionState state, Throwable why) {
    Execution<A, R> whole = execution(state);
    whole.refuseRetry(); // first, so that the owner of the ending sees this, or this sees the retry
    return whole.isRetrying() && call(whole).endsCancelled(why);
  }

  @Override
  public boolean outOfTime(ExecutionState state) {
    Execution<A, R> whole = execution(state);
    if (!whole.isRetrying()) {
      return false;
    }
    RetriedCall<A, R> call = call(whole);
    Attempt<A, R> present = call.current();
    if (present == null) {
      return call.endsWithLastFailure();
    }
    // that it has timed out waits for the command's share; any other ending is its owner's to count
    return present.endsBeforeItsCall()
        && present.isUnpublished() // read first: what it ended with was written before
        && present.has(EventType.TIMEOUT)
        && call.endsWithCurrent();
  }

  // Everything that comes here is of this command.

  @SuppressWarnings("unchecked")
  private Execution<A, R> execution(ExecutionState state) {
    return (Execution<A, R>) state;
  }

  @SuppressWarnings("unchecked")
  private Attempt<A, R> attempt(ExecutionState state) {
    return (Attempt<A, R>) state;
  }

  @SuppressWarnings("unchecked")
  private RetriedCall<A, R> call(Execution<A, R> whole) {
    return (RetriedCall<A, R>) Errors.present(whole.share);
  }
}
