// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.call;

import dev.tenrec.core.outcome.Outcome;
import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one execution ended with: its answer or why there is none, and the events it counts as. Only
 * the thread that owns the ending writes here; {@link ExecutionState} says which thread that is. A
 * layer of {@link Execution} and no object of its own, so that a call costs one object.
 *
 * @param <R> what the command returns
 */
public abstract class ExecutionResult<R extends @Nullable Object> extends ExecutionState {

  // Written by the thread that claimed the ending, read by others after DECIDED or later; the two
  // latencies are written a moment after that, and only displayed.
  private int eventBits;

  /** What the answer counts as; null if that was counted with the claim. */
  private @Nullable EventType answerEvent;

  /**
   * Whether its result counts as a failure, for which the engine made the exception. Written by the
   * thread that stopped the work, before its claim; read by the owner of the ending.
   */
  boolean failedByResult;

  /** Whether all it counts as is an answer of the request cache. By the owner of the ending. */
  boolean fromCache;

  @Nullable R value;
  public @Nullable Throwable error;
  public @Nullable Throwable cause;
  @Nullable Throwable fallbackError;
  long executionNanos = -1;
  public long callerNanos;

  ExecutionResult(long deadlineNanos) {
    super(deadlineNanos);
  }

  /** The answer, once it has ended. Null where R has it, or there is no answer. */
  @SuppressWarnings("NullAway") // whether null is one of its values is for R to say
  public R value() {
    return value;
  }

  /** Why there is no answer, once it has ended: not wrapped. Null if there is one. */
  public @Nullable Throwable error() {
    return error;
  }

  /** By the owner of the ending, at once: the request cache answers it, and counts it. */
  public void answeredFromCache() {
    fromCache = true;
    add(EventType.RESPONSE_FROM_CACHE);
  }

  /** Only the owner of the ending adds. */
  public void add(EventType event) {
    eventBits |= 1 << event.ordinal();
  }

  /** Whether {@code event} is among its events. */
  public boolean has(EventType event) {
    return (eventBits >>> event.ordinal() & 1) != 0;
  }

  /** All its events, a bit each by their ordinals. */
  public int eventBits() {
    return eventBits;
  }

  /**
   * By the owner of the ending, at once: what the ending is, and that any thread may publish it
   * from now on. Plain stores, which cannot fail.
   */
  void decide(EventType event, @Nullable R answer, @Nullable Throwable why) {
    eventBits |= 1 << event.ordinal();
    answerEvent =
        event == EventType.SUCCESS || event == EventType.CANCELLED
            ? null
            : EventType.EXCEPTION_THROWN; // unless its fallback answers
    value = answer;
    cause = why;
    error = why;
    decided();
  }

  /**
   * By the owner of the ending, at once: what its fallback brought, or why that brought nothing,
   * and that any thread may publish it from now on. Plain stores, which cannot fail.
   */
  void decideFallback(
      EventType event,
      @Nullable R answer,
      @Nullable Throwable failure,
      @Nullable Throwable toCaller) {
    eventBits |= 1 << event.ordinal();
    answerEvent =
        event == EventType.FALLBACK_SUCCESS || event == EventType.CANCELLED
            ? event
            : EventType.EXCEPTION_THROWN;
    value = answer;
    fallbackError = failure;
    error = toCaller;
    decidedFinally();
  }

  /**
   * By the owner of the ending, after further attempts: as {@link #decide}, but what the last one
   * counts as is counted.
   *
   * @param own whether the engine made {@code why}, for this call
   */
  public void decideAfterRetries(
      EventType event, @Nullable R answer, @Nullable Throwable why, boolean own) {
    eventBits |= 1 << event.ordinal();
    if (event == EventType.SUCCESS) {
      answerEvent = null;
    } else {
      answerEvent = event == EventType.CANCELLED ? event : EventType.EXCEPTION_THROWN;
    }
    value = answer;
    cause = why;
    error = why;
    failedByResult = own;
    decided();
  }

  /** What the answer counts as; null if that was counted with the claim. Adds it to the events. */
  protected @Nullable EventType takeAnswerEvent() {
    EventType event = answerEvent;
    if (event != null) {
      eventBits |= 1 << event.ordinal();
    }
    return event;
  }

  /** Whether its ending is decided, and has yet to be offered to a fallback. */
  public boolean awaitsFallback() {
    if (!isDecidedFirst()) { // read first: the fields below were written before
      return false;
    }
    Throwable why = cause;
    return answerEvent == EventType.EXCEPTION_THROWN
        && why != null
        && Verdict.asksFallback(
            has(EventType.BAD_REQUEST) ? EventType.BAD_REQUEST : EventType.FAILURE, why);
  }

  /** Whether the engine made the cause, for this execution: by the owner of the ending. */
  public boolean hasOwnCause() {
    return failedByResult || !has(EventType.FAILURE);
  }

  /**
   * By the owner of the ending: the call ends with the outcome of another execution. Plain stores,
   * which cannot fail.
   *
   * @param worked its latency, which takes memory to read
   */
  public void adopt(Outcome<R> other, @Nullable Duration worked) {
    value = other.value();
    error = other.error();
    cause = other.cause();
    fallbackError = other.fallbackError();
    eventBits = other.eventBits();
    executionNanos = worked == null ? -1 : worked.toNanos();
  }

  /** How long its work took; null if it did not run. */
  public @Nullable Duration executionLatency() {
    return executionNanos < 0 ? null : Duration.ofNanos(executionNanos);
  }

  /** Each of its events once, in the order of the type. */
  public List<EventType> events() {
    return Stream.of(EventType.values()).filter(this::has).toList();
  }
}
