// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.attempt;

import dev.tenrec.core.internal.breaker.CircuitBreaker;
import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.call.AttemptEntry;
import dev.tenrec.core.internal.call.CommandRuntime;
import dev.tenrec.core.internal.call.Engine;
import dev.tenrec.core.internal.call.Execution;
import dev.tenrec.core.internal.call.ExecutionState;
import dev.tenrec.core.internal.call.FurtherAttempts;
import dev.tenrec.core.internal.call.LoadedEarly;
import dev.tenrec.core.internal.call.Pipeline;
import dev.tenrec.core.internal.callback.CallbackTask;
import dev.tenrec.core.internal.config.HedgeSettings;
import dev.tenrec.core.internal.config.RetrySettings;
import dev.tenrec.core.internal.retry.RetryToken;
import dev.tenrec.core.internal.retry.SharedBudget;
import dev.tenrec.core.internal.timeout.Timeout;
import dev.tenrec.metrics.event.EventType;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;

/**
 * Begins further attempts of the calls of one command beside those that are slow. A call that may
 * be hedged has no work of its own: each of its attempts, the first one included, is a {@link
 * HedgedAttempt}, and its {@link HedgedCall} decides which one ends it.
 *
 * <p>Where failures are retried, too, a call whose attempts have all failed waits for its next
 * round of attempts; the timer has that begun in the command's share.
 */
final class Hedges<A extends @Nullable Object, R extends @Nullable Object>
    implements FurtherAttempts {

  private static final long NONE = -1;

  static { // with the command: see there
    LoadedEarly.initialize(
        MethodHandles.lookup(),
        CallTask.class,
        HedgedAttempt.class,
        HedgedCall.class,
        RetryToken.class,
        RoundTimeout.class);
  }

  /** A percentile of fewer says little. */
  private static final int LEAST_SAMPLES = 100;

  /** How long a reading of the percentile will do. */
  private static final long READING_NANOS = 1_000_000_000L;

  private final Pipeline<A, R> pipeline;
  private final CommandRuntime runtime;
  private final Engine engine;
  private final AttemptEntry<A, R> entry;

  /** By which another round follows; null if none does. */
  private final @Nullable RetryRules rules;

  /** What hedges are drawn on; null for the command's own budget. */
  private final @Nullable SharedBudget shared;

  /**
   * What the percentile was, {@link #NONE} if there were too few samples; of which percentile, and
   * when. Replaced by any thread that finds it old: two read at once are as good as one.
   */
  private volatile Reading reading;

  private record Reading(int percentile, long nanos, long atNanos) {}

  /** What hedges a command's calls, and retries them by these rules; null if it does not. */
  Hedges(Pipeline<A, R> pipeline, @Nullable RetryRules rules, @Nullable SharedBudget shared) {
    this.pipeline = pipeline;
    this.runtime = pipeline.runtime;
    this.engine = runtime.engine;
    this.rules = rules;
    this.shared = shared;
    this.entry = new AttemptEntry<>(pipeline);
    this.reading = new Reading(0, NONE, 0);
  }

  @Override
  public boolean takes(ExecutionState state) {
    Execution<A, R> whole = execution(state);
    long delay = delayNanos(whole);
    if (delay == NONE) {
      return false;
    }
    pipeline.captureContext(whole);
    if (whole.isClaimed()) { // that failed, or its caller gave up
      return true;
    }
    HedgedCall<A, R> call = new HedgedCall<>(this, whole, delay, mostAttempts(whole));
    whole.share = call;
    if (!whole.launch()) {
      return true;
    }
    pipeline.armDeadline(whole);
    long now = pipeline.now(); // an attempt has its time from the gates on, after listeners
    HedgedAttempt<A, R> first = new HedgedAttempt<>(call, 1, 1, now);
    if (call.addFirst(first)) {
      entry.run(first, now);
    }
    return true;
  }

  /** How many attempts the call has at most, hedges included: retries may bound them. */
  private int mostAttempts(Execution<A, R> whole) {
    int most = whole.plan.settings.hedge().atMost() + 1;
    RetrySettings retry = whole.plan.settings.retry();
    if (rules == null) {
      return most;
    }
    return retry.enabled() ? retry.attempts() : Math.min(most, retry.attempts());
  }

  /** The deadline of an attempt that begins now: one of its own, or that of its call. */
  long deadlineNanos(Execution<A, R> whole, long now) {
    return rules != null && whole.plan.settings.retry().limitsAttempts()
        ? RetryRules.deadlineNanos(whole, now)
        : whole.deadlineNanos();
  }

  /** After how long a hedge of this call is due; {@link #NONE} if it has none. */
  private long delayNanos(Execution<A, R> whole) {
    HedgeSettings figures = whole.plan.settings.hedge();
    if (!figures.enabled() || pipeline.callerStaysAtWork(whole.plan)) {
      return NONE;
    }
    if (figures.percentile() == 0) {
      return figures.afterNanos();
    }
    long nanos = percentile(figures.percentile(), whole.startNanos);
    return nanos == NONE ? NONE : Math.max(nanos, figures.afterNanos());
  }

  private long percentile(int percentile, long now) {
    Reading last = reading;
    if (last.percentile != percentile || now - last.atNanos >= READING_NANOS) {
      long nanos = runtime.latencyNanos(percentile, LEAST_SAMPLES, now);
      reading = last = new Reading(percentile, nanos, now);
    }
    return last.nanos;
  }

  /**
   * On the attempt's thread: its work begins, and so does the delay of the next one. An attempt
   * that waits for a thread has none beside it, which would wait as well. Throws nothing: without a
   * timer there is no hedge, and the call goes on.
   */
  void workBegins(HedgedAttempt<A, R> attempt, long now) {
    HedgedCall<A, R> call = attempt.call;
    if (CircuitBreaker.isTrial(attempt.permission) || !call.beginsDelay(attempt)) {
      return;
    }
    try {
      Timeout due = call.dueIn(call.delayNanos, attempt.round, now);
      boolean unused = call.whole.isClaimed() || engine.timer().arm(due);
    } catch (Throwable thrown) { // the system has no thread for the timer
      runtime.failedToSettle(thrown);
    }
  }

  /** In the command's share: its listeners run here, the function for the rate's key, stages. */
  void begin(HedgedCall<A, R> call, int round) {
    RetryToken drawn = null;
    try {
      long now = pipeline.now();
      if (!call.takesHedge(round) || !isOfUse(call.whole, now)) {
        return;
      }
      drawn = draw(now);
      HedgedAttempt<A, R> hedge = drawn == null ? refused(call, now) : admitted(call, round);
      if (hedge != null && drawn != null && drawn.spend()) {
        begin(hedge);
      }
    } catch (Throwable thrown) { // no memory: the call goes on without
      runtime.failedToSettle(thrown);
    } finally { // what was drawn for a hedge that does not begin
      if (drawn != null) {
        drawn.giveBack();
      }
    }
  }

  /** A hedge that is past its gates, and known to its call. Null if none begins. */
  private @Nullable HedgedAttempt<A, R> admitted(HedgedCall<A, R> call, int round) {
    int number = call.begun() + 1;
    engine.listeners().hedgeStarts(call.whole, number);
    HedgedAttempt<A, R> hedge = new HedgedAttempt<>(call, number, round, pipeline.now());
    if (call.whole.isClaimed()) { // or its argument was not read before that was dropped
      return null;
    }
    if (!passes(hedge)) {
      return refused(call, pipeline.now());
    }
    if (!call.add(hedge)) {
      entry.leavesBeside(hedge, pipeline.now());
      return null;
    }
    return hedge;
  }

  private void begin(HedgedAttempt<A, R> hedge) {
    try {
      count(EventType.HEDGE);
    } catch (Throwable thrown) { // no memory for a first count: its call counts on it
      runtime.failedToSettle(thrown);
    }
    entry.beginsBeside(hedge);
  }

  /** Whether a hedge would come in time, and is still wanted, by the settings of now. */
  private boolean isOfUse(Execution<A, R> whole, long now) {
    if (whole.isClaimed() || !runtime.settings().hedge().enabled() || runtime.isClosed()) {
      return false;
    }
    return !whole.hasDeadline() || whole.deadlineNanos() - now > runtime.medianNanos(now);
  }

  /** By the settings of now: the budget is no call's. */
  private @Nullable RetryToken draw(long now) {
    HedgeSettings figures = runtime.settings().hedge();
    return RetryRules.draw(
        runtime, shared, figures.budgetPercent(), figures.budgetPerSecond(), now);
  }

  /** Runs the user's function for the rate's key. Throws nothing. */
  private boolean passes(HedgedAttempt<A, R> hedge) {
    try {
      return entry.passesBeside(hedge, pipeline.now());
    } catch (Throwable thrown) { // by it, or there is no memory
      runtime.failedToSettle(thrown);
      return false;
    }
  }

  private @Nullable HedgedAttempt<A, R> refused(HedgedCall<A, R> call, long now) {
    call.refused();
    runtime.recorder.count(EventType.HEDGE_REFUSED, now);
    return null;
  }

  // What is counted for attempts and their calls.

  void outrun(HedgedAttempt<A, R> attempt) {
    long now = pipeline.now();
    long worked = attempt.workedNanos(now);
    runtime.recorder.outrun(attempt.plan, attempt.permission, worked, attempt.call.delayNanos, now);
  }

  /** It would have succeeded, or been cancelled, a moment after its call had ended with that. */
  void endsAsItsCall(HedgedAttempt<A, R> attempt, EventType event) {
    long now = pipeline.now();
    runtime.recorder.decided(
        attempt.plan, attempt.permission, event, attempt.workedNanos(now), now);
  }

  void count(EventType event) {
    runtime.recorder.count(event, pipeline.now());
  }

  /** The call has ended before its first attempt began: that counts as any call's end. */
  void endedWithoutAttempt(Execution<A, R> whole, EventType event) {
    runtime.recorder.decided(whole.plan, Permission.UNGUARDED, event, NONE, pipeline.now());
  }

  @Override
  public boolean goesOn(ExecutionState ended, EventType event, @Nullable Throwable cause) {
    if (!(ended instanceof HedgedAttempt)) {
      return false; // the whole call ends
    }
    HedgedAttempt<A, R> attempt = attempt(ended);
    HedgedCall<A, R> call = attempt.call;
    EventType endedAs = event;
    boolean last = call.isEndedBy(attempt);
    if (!last && !isFailure(attempt, event)) {
      last = call.endsWith(attempt, event); // unless the step failed that would have done it
    } else if (!last && cause != null && call.failed(attempt, event, cause)) {
      last = !nextRoundWaits(attempt, event, cause) && call.endsFailed(attempt);
      endedAs = call.failedAs();
    }
    pipeline.completion.leaveIfHolder(attempt); // unless the whole call has it now
    pipeline.completion.answerQuietly(attempt);
    if (last) {
      call.giveUpOthers();
      pipeline.conclude(call.whole, endedAs, call.whole.cause);
    }
    return true;
  }

  /** Whether another attempt could still answer. */
  static boolean isFailure(HedgedAttempt<?, ?> attempt, EventType event) {
    return event == EventType.TIMEOUT && attempt.endsBeforeItsCall()
        || event != EventType.SUCCESS // no switch: see Pipeline.stopped
            && event != EventType.TIMEOUT
            && event != EventType.DEADLINE_EXCEEDED
            && event != EventType.CANCELLED
            && event != EventType.BAD_REQUEST;
  }

  // How a round follows another.

  /**
   * By the owner of the ending that a round ended with. False if no round follows: then the caller
   * ends the call. Throws nothing.
   */
  private boolean nextRoundWaits(
      HedgedAttempt<A, R> attempt, EventType event, @Nullable Throwable cause) {
    if (rules == null || cause == null) {
      return false;
    }
    try {
      return nextRoundWaits(rules, attempt, event, cause);
    } catch (Throwable thrown) { // no memory
      runtime.failedToSettle(thrown);
      return false;
    }
  }

  private boolean nextRoundWaits(
      RetryRules rules, HedgedAttempt<A, R> attempt, EventType event, Throwable cause) {
    HedgedCall<A, R> call = attempt.call;
    long now = pipeline.now();
    boolean tookTooLong = event == EventType.TIMEOUT; // else it is no failure
    int retry = call.round();
    long delay =
        rules.delayNanos(
            attempt, event, cause, tookTooLong, call.begun(), retry, call.waitedNanos(), now);
    if (delay == RetryRules.NONE) {
      return false;
    }
    RetryToken drawn = rules.draw(now);
    if (drawn == null) {
      call.exhausted();
      return false;
    }
    boolean waits = false;
    try {
      call.makeRoom();
      RoundTimeout due =
          new RoundTimeout(
              call,
              call.round(),
              now + delay,
              new CallTask(call.whole, () -> beginRound(rules, call)),
              true);
      // closing finds it there, while it is in no starter and no gate
      waits = engine.stages().addWaiting(call.whole) && call.waits(attempt, drawn, delay);
      if (!waits) {
        return false;
      }
      pipeline.completion.leaveIfHolder(attempt); // while it waits, it holds no permit
      pipeline.completion.answerQuietly(attempt);
      return engine.timer().arm(due); // or it is closed
    } finally {
      if (!waits) { // it was ended meanwhile, or there was no memory
        engine.stages().removeWaiting(call.whole);
        drawn.giveBack();
      }
    }
  }

  /** On the caller's thread, if that waits, else in the share: a round is due. Throws nothing. */
  private void beginRound(RetryRules rules, HedgedCall<A, R> call) {
    try {
      long now = pipeline.now();
      if (!call.whole.isLate(now) && rules.areOn()) {
        // while the call still waits, so that closing finds it
        engine.listeners().attemptStarts(call.whole, call.begun() + 1, call.lastFailure());
      }
      engine.stages().removeWaiting(call.whole);
      now = pipeline.now();
      boolean begins = !call.whole.isLate(now) && rules.areOn(); // by now
      HedgedAttempt<A, R> next = begins ? call.next(now) : null;
      if (next != null) {
        rules.countRetry(now);
        entry.runApart(next, now);
        return;
      }
    } catch (Throwable thrown) { // no memory
      runtime.failedToSettle(thrown);
    }
    if (call.endsFailed(null)) { // nothing, if it has been ended
      call.giveUpOthers();
      pipeline.conclude(call.whole, call.failedAs(), call.whole.cause);
    }
  }

  @Override
  public boolean followRefusals() {
    return false; // with a retry, that is for Retries to say
  }

  @Override
  public boolean goesOnHere(ExecutionState whole) {
    if (!(execution(whole).share instanceof HedgedCall<?, ?> call)) {
      return false;
    }
    CallbackTask next = call.nextForCaller();
    if (next == null) {
      return false;
    }
    next.runHere();
    return true;
  }

  /** It never waits for an attempt in that state. */
  @Override
  public void awaitHere(ExecutionState whole) {
    throw new AssertionError("not retried: " + whole);
  }

  @Override
  public boolean cancels(ExecutionState whole, Throwable why) {
    return false;
  }

  @Override
  public boolean outOfTime(ExecutionState whole) {
    return execution(whole).share instanceof HedgedCall<?, ?> call && call.endsOutOfTime();
  }

  // Everything that comes here is of this command.

  @SuppressWarnings("unchecked")
  private Execution<A, R> execution(ExecutionState state) {
    return (Execution<A, R>) state;
  }

  @SuppressWarnings("unchecked")
  private HedgedAttempt<A, R> attempt(ExecutionState state) {
    return (HedgedAttempt<A, R>) state;
  }
}
