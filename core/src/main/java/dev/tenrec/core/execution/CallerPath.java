// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.execution;

import dev.tenrec.core.breaker.Permission;
import dev.tenrec.core.outcome.CommandException;
import dev.tenrec.core.work.Fallback;
import dev.tenrec.core.work.Work;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * {@link Pipeline}'s way for work on the caller's own thread that nobody else takes part in: the
 * same gates and the same steps, with the state of the call in locals. An {@link Execution} would
 * be allocated as soon as the compiler stops inlining, which it does in real applications (48 bytes
 * and 5 to 8 ns a call of about 60; benchmark SemaphoreExecution.tenrecPolluted).
 */
final class CallerPath<A extends @Nullable Object, R extends @Nullable Object> {

  /** In the place of a start: the call did not pass the gates, so its latency is not recorded. */
  private static final long NOT_ADMITTED = Long.MIN_VALUE;

  private final Pipeline<A, R> pipeline;
  private final Work<A, R> work;
  private final Ticker ticker;
  private final OutcomeRecorder recorder;
  private final Classification classification;
  private final boolean looksAtResults;

  private CallerPath(Pipeline<A, R> pipeline, Work<A, R> work) {
    this.pipeline = pipeline;
    this.work = work;
    this.ticker = pipeline.runtime.engine.ticker();
    this.recorder = pipeline.runtime.recorder;
    this.classification = pipeline.classification;
    this.looksAtResults = classification.looksAtResults();
  }

  /** Null for work that looks at its call or ends elsewhere, and where somebody listens. */
  static <A extends @Nullable Object, R extends @Nullable Object> @Nullable CallerPath<A, R> of(
      Pipeline<A, R> pipeline) {
    return pipeline.listeners.isEmpty() && pipeline.body instanceof WorkBody.Plain<A, R> plain
        ? new CallerPath<>(pipeline, plain.work())
        : null;
  }

  R execute(Plan plan, A argument) {
    long start = ticker.nanoTime();
    Permission permission = pipeline.enter(plan, start);
    if (permission instanceof Refusal refusal) {
      return refused(plan, refusal, argument, start);
    }
    R result;
    try {
      result = work.run(argument);
    } catch (Throwable thrown) { // Errors too: the permit has to come back
      plan.bulkhead.leave();
      return failed(plan, permission, argument, thrown, start);
    }
    plan.bulkhead.leave();
    long now = ticker.nanoTime();
    if (now - start >= plan.timeoutNanos) {
      return timedOut(plan, permission, argument, start, now);
    }
    if (looksAtResults) {
      Throwable failure =
          classification.errorOf(result, pipeline.commandKey(), pipeline.runtime.stackTraces);
      if (failure != null) {
        return failed(plan, permission, argument, failure, start);
      }
    }
    recorder.succeededHere(plan, permission, now - start, now);
    return result;
  }

  private R refused(Plan plan, Refusal refusal, A argument, long now) {
    CommandException cause = refusal.error(pipeline.runtime, plan);
    if (refusal == Refusal.SHORT_CIRCUITED) {
      recorder.refusedHere(plan, now);
      return fallBack(plan, argument, cause, NOT_ADMITTED, true);
    }
    recorder.decided(plan, Permission.UNGUARDED, refusal.event(plan), -1, now);
    return fallBack(plan, argument, cause, NOT_ADMITTED, false);
  }

  private R timedOut(Plan plan, Permission permission, A argument, long start, long now) {
    recorder.decided(plan, permission, EventType.TIMEOUT, now - start, now);
    return fallBack(
        plan, argument, Thrown.timeout(pipeline, plan, now - start, true), start, false);
  }

  private R failed(Plan plan, Permission permission, A argument, Throwable thrown, long start) {
    Thrown.keepInterrupt(thrown, true);
    long now = ticker.nanoTime();
    if (now - start >= plan.timeoutNanos) {
      return timedOut(plan, permission, argument, start, now);
    }
    if (thrown instanceof InterruptedException) { // the caller was: that is a cancellation
      recorder.decided(plan, permission, EventType.CANCELLED, now - start, now);
      recorder.answered(null, now - start, now);
      throw Thrown.interrupted(pipeline.commandKey(), pipeline.runtime.stackTraces);
    }
    Throwable cause = thrown;
    EventType event;
    try {
      event = classification.of(thrown);
    } catch (Throwable predicate) { // the user's own predicate threw
      cause = predicate;
      event = EventType.FAILURE;
    }
    recorder.decided(plan, permission, event, now - start, now);
    if (event == EventType.BAD_REQUEST || Classification.isUnrecoverable(cause)) {
      recorder.answered(EventType.EXCEPTION_THROWN, now - start, now);
      throw Thrown.toThrow(pipeline.commandKey(), cause);
    }
    return fallBack(plan, argument, cause, start, false);
  }

  /**
   * @param uncounted whether the breaker refused the call, which is counted together with its
   *     answer
   */
  private R fallBack(Plan plan, A argument, Throwable cause, long start, boolean uncounted) {
    FallbackGate gate = pipeline.runtime.fallbackGate;
    Fallback<A, R> fallback = pipeline.fallback;
    EventType refusal = gate.enter(plan, fallback != null);
    Throwable failure = null;
    if (refusal == null) {
      R answer;
      try {
        answer = Thrown.present(fallback).apply(argument, cause);
      } catch (Throwable thrown) {
        gate.leave();
        Thrown.keepInterrupt(thrown, true);
        return unanswered(EventType.FALLBACK_FAILURE, cause, thrown, start, uncounted);
      }
      gate.leave();
      if (uncounted) {
        recorder.refusedHereAndServed();
      } else {
        served(start);
      }
      return answer;
    }
    if (refusal == EventType.FALLBACK_REJECTION) {
      failure = gate.refusal(pipeline.commandKey(), pipeline.runtime.stackTraces);
    }
    return unanswered(refusal, cause, failure, start, uncounted);
  }

  private R unanswered(
      EventType event,
      Throwable cause,
      @Nullable Throwable failure,
      long start,
      boolean uncounted) {
    if (uncounted) {
      recorder.refusedHereAndThrown(event);
    } else if (start == NOT_ADMITTED) {
      recorder.refusedAndAnswered(event);
      recorder.refusedAndAnswered(EventType.EXCEPTION_THROWN);
    } else {
      long now = ticker.nanoTime();
      recorder.count(event, now);
      recorder.answered(EventType.EXCEPTION_THROWN, now - start, now);
    }
    throw Thrown.toThrow(
        pipeline.commandKey(),
        Thrown.withFallbackError(cause, failure, pipeline.runtime.stackTraces));
  }

  private void served(long start) {
    if (start == NOT_ADMITTED) {
      recorder.refusedAndAnswered(EventType.FALLBACK_SUCCESS);
    } else {
      long now = ticker.nanoTime();
      recorder.answered(EventType.FALLBACK_SUCCESS, now - start, now);
    }
  }
}
