// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.internal.breaker.Permission;
import dev.tenrec.core.internal.breaker.Refused;
import dev.tenrec.core.internal.context.Deadlines;
import dev.tenrec.core.internal.gate.FallbackGate;
import dev.tenrec.core.internal.gate.FallbackRefusal;
import dev.tenrec.core.internal.gate.Gates;
import dev.tenrec.core.internal.gate.Plan;
import dev.tenrec.core.internal.gate.Rejected;
import dev.tenrec.core.outcome.CircuitOpenException;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.core.work.FallbackValue;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * {@link Pipeline}'s way for work on the caller's own thread, if no other thread takes part in the
 * call: the pipeline's gates and steps, with the state of the call in locals. An {@link Execution}
 * would be allocated as soon as the compiler stops inlining, which it does in real applications (48
 * bytes and 5 to 8 ns a call of about 60; benchmark SemaphoreExecution.tenrecPolluted).
 */
final class CallerPath<A extends @Nullable Object, R extends @Nullable Object> {

  private final Pipeline<A, R> pipeline;
  private final Work<A, R> work;
  private final Ticker ticker;
  private final Gates<A> gates;
  private final OutcomeRecorder recorder;
  private final boolean looksAtResults;
  private final @Nullable Fallback<A, R> fallback;
  private final FallbackGate fallbackGate;

  /** The fallback, if it is one that takes no time and cannot fail. */
  private final @Nullable FallbackValue<A, R> value;

  private CallerPath(Pipeline<A, R> pipeline, Work<A, R> work) {
    this.pipeline = pipeline;
    this.work = work;
    this.ticker = pipeline.runtime.engine.ticker();
    this.gates = pipeline.gates;
    this.recorder = pipeline.runtime.recorder;
    this.looksAtResults = pipeline.classification.looksAtResults();
    this.fallback = pipeline.fallback;
    this.fallbackGate = pipeline.runtime.fallbackGate;
    this.value = fallback instanceof FallbackValue<A, R> present ? present : null;
  }

  /**
   * Null for work that looks at its call or ends elsewhere, for a rate by key, and where there are
   * listeners.
   */
  static <A extends @Nullable Object, R extends @Nullable Object> @Nullable CallerPath<A, R> of(
      Pipeline<A, R> pipeline) {
    return pipeline.listeners.isEmpty()
            && !pipeline.gates.limitRateByKey()
            && (pipeline.further == null || !pipeline.further.followRefusals())
            && pipeline.body instanceof WorkBody.Plain<A, R> plain
        ? new CallerPath<>(pipeline, plain.work())
        : null;
  }

  R execute(Plan plan, A argument) {
    if (plan.deadlines) {
      return executeWithin(plan, argument);
    }
    long start = ticker.nanoTime();
    Permission permission = gates.enter(plan, argument, start);
    if (permission instanceof Refused refused) {
      return shortCircuited(plan, argument, refused.why(), start);
    }
    if (permission instanceof Rejected rejected) {
      return rejected(plan, rejected, argument, start);
    }
    R result;
    try {
      result = work.run(argument);
    } catch (Throwable thrown) { // Errors too: the permit has to come back
      plan.bulkhead.leave();
      return failed(plan, permission, argument, thrown, false, start, plan.timeoutNanos);
    }
    plan.bulkhead.leave();
    long now = ticker.nanoTime();
    if (now - start >= plan.timeoutNanos) {
      return timedOut(plan, permission, argument, start, now, plan.timeoutNanos);
    }
    if (looksAtResults) {
      Throwable failure =
          pipeline.classification.errorOf(
              result, pipeline.commandKey(), pipeline.runtime.stackTraces);
      if (failure != null) {
        boolean own = isOwn(failure, result);
        return failed(plan, permission, argument, failure, own, start, plan.timeoutNanos);
      }
    }
    recorder.succeededHere(plan, permission, now - start, now);
    return result;
  }

  /**
   * As {@link #execute}, within the deadline of the call that this thread is at, which has to be
   * over by then; the work has the deadline of this one. The steps stand here twice, so that a call
   * without deadlines pays one look at a field of its plan and nothing else.
   */
  private R executeWithin(Plan plan, A argument) {
    long[] here = pipeline.deadlines().here();
    long outer = here[0];
    long start = ticker.nanoTime();
    long limit = Deadlines.limit(outer, start, plan.timeoutNanos);
    if (limit <= 0) {
      return tooLate(plan, argument, limit, start);
    }
    Permission permission = gates.enter(plan, argument, start);
    if (permission instanceof Refused refused) {
      return shortCircuited(plan, argument, refused.why(), start);
    }
    if (permission instanceof Rejected rejected) {
      return rejected(plan, rejected, argument, start);
    }
    R result;
    here[0] = Deadlines.after(start, limit);
    try {
      result = work.run(argument);
    } catch (Throwable thrown) { // Errors too: the permit has to come back
      here[0] = outer;
      plan.bulkhead.leave();
      return failed(plan, permission, argument, thrown, false, start, limit);
    }
    here[0] = outer;
    plan.bulkhead.leave();
    long now = ticker.nanoTime();
    if (now - start >= limit) {
      return timedOut(plan, permission, argument, start, now, limit);
    }
    if (looksAtResults) {
      Throwable failure =
          pipeline.classification.errorOf(
              result, pipeline.commandKey(), pipeline.runtime.stackTraces);
      if (failure != null) {
        boolean own = isOwn(failure, result);
        return failed(plan, permission, argument, failure, own, start, limit);
      }
    }
    recorder.succeededHere(plan, permission, now - start, now);
    return result;
  }

  private boolean isOwn(Throwable failure, R result) {
    return Classification.isOwn(failure, result, pipeline.commandKey());
  }

  /** The deadline of the call that this one is made in has passed: it is not begun. */
  private R tooLate(Plan plan, A argument, long limit, long now) {
    recorder.decided(plan, Permission.UNGUARDED, EventType.DEADLINE_EXCEEDED, -1, now);
    Throwable cause;
    try {
      cause = Errors.timeout(pipeline, plan, limit, 0, false);
    } catch (OutOfMemoryError e) { // the call is counted, so its answer has to be
      cause = Errors.BARE_TIMEOUT;
    }
    return answerUnbegun(plan, argument, cause);
  }

  /** The circuit is open. Counted together with its answer: it does next to nothing else. */
  private R shortCircuited(Plan plan, A argument, CircuitOpenException why, long now) {
    Throwable cause = Errors.refused(why, pipeline.runtime.stackTraces);
    recorder.refusesHere(now);
    pipeline.runtime.shortCircuits();
    FallbackRefusal none = fallbackGate.enter(plan, fallback);
    if (none != null) {
      recorder.refusedHereAndThrown(none.event());
      throw unanswered(none, cause, true);
    }
    R answer;
    try {
      answer = askFallback(argument, cause);
    } catch (Throwable thrown) {
      recorder.refusedHereAndThrown(FallbackRefusal.eventOf(thrown));
      throw toThrow(cause, true, thrown);
    }
    recorder.refusedHereAndServed();
    return answer;
  }

  /**
   * The bulkhead is full, or there is no permit of the rate. The clock is not read again: the
   * call's events are of one moment.
   */
  private R rejected(Plan plan, Rejected rejected, A argument, long now) {
    recorder.decided(plan, Permission.UNGUARDED, plan.rejection(rejected), -1, now);
    Throwable cause;
    try {
      cause = pipeline.runtime.errorOf(plan, rejected, now);
    } catch (OutOfMemoryError e) { // the call is counted, so its answer has to be
      cause = Errors.BARE_REJECTION;
    }
    return answerUnbegun(plan, argument, cause);
  }

  /** The work was not begun, and this is counted. */
  private R answerUnbegun(Plan plan, A argument, Throwable cause) {
    FallbackRefusal none = fallbackGate.enter(plan, fallback);
    if (none != null) {
      recorder.refusedAndThrown(none.event());
      throw unanswered(none, cause, true);
    }
    R answer;
    try {
      answer = askFallback(argument, cause);
    } catch (Throwable thrown) {
      recorder.refusedAndThrown(FallbackRefusal.eventOf(thrown));
      throw toThrow(cause, true, thrown);
    }
    recorder.refusedAndServed();
    return answer;
  }

  /**
   * The work has not ended within its limit.
   *
   * @param limit the command's time-out, or less if an outer deadline came first
   */
  private R timedOut(
      Plan plan, Permission permission, A argument, long start, long now, long limit) {
    recorder.decided(plan, permission, plan.lateness(limit), now - start, now);
    Throwable cause;
    try {
      cause = Errors.timeout(pipeline, plan, limit, now - start, true);
    } catch (OutOfMemoryError e) { // the call is counted, so its answer has to be
      cause = Errors.BARE_TIMEOUT;
    }
    return fallBack(plan, argument, cause, true, start, now);
  }

  /**
   * The work threw, or its result counts as a failure.
   *
   * @param own whether the engine made {@code thrown}, for this call
   * @param limit the command's time-out, or less if an outer deadline came first
   */
  private R failed(
      Plan plan,
      Permission permission,
      A argument,
      Throwable thrown,
      boolean own,
      long start,
      long limit) {
    Errors.keepInterrupt(thrown, true);
    long now = ticker.nanoTime();
    if (now - start >= limit) {
      return timedOut(plan, permission, argument, start, now, limit);
    }
    if (Errors.isInterrupted(thrown)) { // the caller was: that is a cancellation
      throw interrupted(plan, permission, thrown, start, now);
    }
    Verdict verdict = Verdict.on(thrown, pipeline.classification);
    if (pipeline.further != null) {
      boolean ownCause = own && verdict.cause(thrown) == thrown;
      Execution<A, R> execution = withFurtherAttempts(plan, permission, argument, ownCause, start);
      if (execution != null) {
        pipeline.ended(execution, verdict.event(), null, verdict.cause(thrown));
        CallerWait.untilAnswered(execution, pipeline.runtime.engine);
        return pipeline.answerOf(execution);
      }
    }
    if (verdict.asksFallback() && value != null && plan.fallbackEnabled) {
      recorder.failedHereAndServed(permission, now - start, now);
      return value.value();
    }
    Throwable cause = verdict.cause(thrown);
    recorder.decided(plan, permission, verdict.event(), now - start, now);
    if (!verdict.asksFallback()) {
      recorder.answered(EventType.EXCEPTION_THROWN, now - start, now);
      throw Errors.toThrow(pipeline.commandKey(), cause);
    }
    return fallBack(plan, argument, cause, own && cause == thrown, start, now);
  }

  /**
   * From here on the call has an execution, because another attempt may follow. Null if there is no
   * memory for it.
   *
   * @param own whether the engine made the failure
   */
  private @Nullable Execution<A, R> withFurtherAttempts(
      Plan plan, Permission permission, A argument, boolean own, long start) {
    try {
      Execution<A, R> execution = new Execution<>(pipeline, plan, argument, null, true, start);
      execution.failedOnCaller(permission, start, own);
      return execution;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  private RuntimeException interrupted(
      Plan plan, Permission permission, Throwable thrown, long start, long now) {
    recorder.decided(plan, permission, EventType.CANCELLED, now - start, now);
    recorder.answered(null, now - start, now);
    return Errors.interrupted(pipeline.commandKey(), thrown, pipeline.runtime.stackTraces);
  }

  /**
   * The work has not answered.
   *
   * @param own whether the engine made {@code cause}, for this call
   * @param now when it ended
   */
  private R fallBack(Plan plan, A argument, Throwable cause, boolean own, long start, long now) {
    FallbackRefusal none = fallbackGate.enter(plan, fallback);
    if (none != null) {
      recorder.count(none.event(), now);
      recorder.answered(EventType.EXCEPTION_THROWN, now - start, now);
      throw unanswered(none, cause, own);
    }
    R answer;
    try {
      answer = askFallback(argument, cause);
    } catch (Throwable thrown) {
      long failed = ticker.nanoTime();
      recorder.count(FallbackRefusal.eventOf(thrown), failed);
      recorder.answered(EventType.EXCEPTION_THROWN, failed - start, failed);
      throw toThrow(cause, own, thrown);
    }
    long answered = value != null ? now : ticker.nanoTime();
    recorder.answered(EventType.FALLBACK_SUCCESS, answered - start, answered);
    return answer;
  }

  /** Past its gate, which it leaves. */
  private R askFallback(A argument, Throwable cause) throws Exception {
    try {
      return Errors.present(fallback).apply(argument, cause);
    } catch (Throwable thrown) {
      Errors.keepInterrupt(thrown, true);
      throw thrown;
    } finally {
      fallbackGate.leave(fallback);
    }
  }

  private RuntimeException unanswered(FallbackRefusal none, Throwable cause, boolean own) {
    return toThrow(cause, own, pipeline.runtime.errorOf(none));
  }

  private RuntimeException toThrow(
      Throwable cause, boolean own, @Nullable Throwable fallbackError) {
    return Errors.toThrow(
        pipeline.commandKey(),
        Errors.withFallbackError(cause, own, fallbackError, pipeline.runtime.stackTraces));
  }
}
