// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How an execution ended, all of it: what {@code attempt} returns instead of throwing. Immutable.
 *
 * @param <R> what the command returns
 */
public final class Outcome<R extends @Nullable Object> {

  private final String commandKey;
  private final @Nullable R value;
  private final @Nullable Throwable error;
  private final @Nullable Throwable cause;
  private final @Nullable Throwable fallbackError;
  private final int eventBits;
  private final long executionNanos;
  private final long callerNanos;
  private final int attempts;

  /** Null if {@link #cause} is all there is. */
  private final @Nullable List<Throwable> failedAttempts;

  /**
   * For the engine: of a call that was attempted once.
   *
   * @param commandKey which command
   * @param value the answer, if error is null
   * @param error what {@code execute} would have thrown for, unwrapped
   * @param cause why the work did not answer
   * @param fallbackError why the fallback did not either
   * @param eventBits bit n is the event of ordinal n
   * @param executionNanos how long the work took, -1 if it did not begin
   * @param callerNanos how long the caller waited
   */
  public Outcome(
      String commandKey,
      @Nullable R value,
      @Nullable Throwable error,
      @Nullable Throwable cause,
      @Nullable Throwable fallbackError,
      int eventBits,
      long executionNanos,
      long callerNanos) {
    this(
        commandKey,
        value,
        error,
        cause,
        fallbackError,
        eventBits,
        executionNanos,
        callerNanos,
        1,
        null);
  }

  /**
   * For the engine.
   *
   * @param commandKey which command
   * @param value the answer, if error is null
   * @param error what {@code execute} would have thrown for, unwrapped
   * @param cause why the work did not answer
   * @param fallbackError why the fallback did not either
   * @param eventBits bit n is the event of ordinal n
   * @param executionNanos how long the work took, -1 if it did not begin
   * @param callerNanos how long the caller waited
   * @param attempts how many attempts began
   * @param failedAttempts why each of them failed, not to be changed any more; null if {@code
   *     cause} is all there is
   */
  public Outcome(
      String commandKey,
      @Nullable R value,
      @Nullable Throwable error,
      @Nullable Throwable cause,
      @Nullable Throwable fallbackError,
      int eventBits,
      long executionNanos,
      long callerNanos,
      int attempts,
      @Nullable List<Throwable> failedAttempts) {
    this.commandKey = commandKey;
    this.value = value;
    this.error = error;
    this.cause = cause;
    this.fallbackError = fallbackError;
    this.eventBits = eventBits;
    this.executionNanos = executionNanos;
    this.callerNanos = callerNanos;
    this.attempts = attempts;
    this.failedAttempts = failedAttempts;
  }

  /**
   * How it ended for one member of a batch, for the engine: the answer or the error are its own,
   * events, latency of the work and fallback are its batch's. A member that failed alone is without
   * an answer although its batch was a success.
   *
   * @param collapserKey which collapser
   * @param value the answer, if error is null
   * @param error what the member got instead
   * @param batch how its batch ended; null if it was in none that started
   * @param callerNanos how long the member waited
   */
  public static <R extends @Nullable Object> Outcome<R> ofMember(
      String collapserKey,
      @Nullable R value,
      @Nullable Throwable error,
      @Nullable Outcome<?> batch,
      long callerNanos) {
    return batch == null
        ? new Outcome<>(collapserKey, value, error, error, null, 0, -1, callerNanos)
        : new Outcome<>(
            collapserKey,
            value,
            error,
            batch.cause != null ? batch.cause : error,
            batch.fallbackError,
            batch.eventBits,
            batch.executionNanos,
            callerNanos,
            batch.attempts,
            batch.failedAttempts);
  }

  /** A copy for a call that shares it, for the engine: RESPONSE_FROM_CACHE is among its events. */
  public Outcome<R> fromCache() {
    int bits = eventBits | 1 << EventType.RESPONSE_FROM_CACHE.ordinal();
    return new Outcome<>(
        commandKey,
        value,
        error,
        cause,
        fallbackError,
        bits,
        executionNanos,
        callerNanos,
        attempts,
        failedAttempts);
  }

  /** The key of the command. */
  public String commandKey() {
    return commandKey;
  }

  /** Whether the caller was answered with a value, be it the work's or the fallback's. */
  public boolean isAnswered() {
    return error == null;
  }

  /** Whether the work itself answered. */
  public boolean isSuccess() {
    return has(EventType.SUCCESS);
  }

  /** Whether the answer is the fallback's. */
  public boolean isFromFallback() {
    return has(EventType.FALLBACK_SUCCESS);
  }

  /** The answer; null if that is null, or if there is none: see {@link #isAnswered}. */
  public @Nullable R value() {
    return value;
  }

  /**
   * What the caller of {@code execute} gets instead of an answer (a checked exception not yet
   * wrapped); null if there is an answer.
   */
  public @Nullable Throwable error() {
    return error;
  }

  /** Why the work did not answer, also when the fallback did; null after a success. */
  public @Nullable Throwable cause() {
    return cause;
  }

  /** How many attempts at it were begun: 1, unless a retry or a hedge began others. */
  public int attempts() {
    return attempts;
  }

  /**
   * Why each attempt failed that did, in their order: none after a success at once, and one of them
   * may be a refusal by the command's own gates.
   */
  public List<Throwable> failedAttempts() {
    if (failedAttempts != null) {
      return failedAttempts;
    }
    return cause == null ? List.of() : List.of(cause);
  }

  /**
   * Why the fallback did not answer: what it threw, or its rejection; null if it answered, or was
   * not asked.
   */
  public @Nullable Throwable fallbackError() {
    return fallbackError;
  }

  /** What happened, in the order of {@link EventType}. */
  public List<EventType> events() {
    return Stream.of(EventType.values()).filter(this::has).toList();
  }

  /** Whether {@code event} is among the events. */
  public boolean has(EventType event) {
    return (eventBits >>> event.ordinal() & 1) != 0;
  }

  /** For the engine: bit n is the event of ordinal n. */
  public int eventBits() {
    return eventBits;
  }

  /**
   * How long the work took, on whichever thread; null if it did not begin. For a time-out, up to
   * the deadline.
   */
  public @Nullable Duration executionLatency() {
    return executionNanos < 0 ? null : Duration.ofNanos(executionNanos);
  }

  /** How long the caller waited, from the call to the answer, queueing and fallback included. */
  public Duration callerLatency() {
    return Duration.ofNanos(callerNanos);
  }

  /** Why it ended as it did, in one sentence for a log. */
  public String explain() {
    StringBuilder text = new StringBuilder(commandKey).append(": ");
    if (cause == null) {
      text.append("answered");
    } else {
      text.append(cause instanceof CommandException ? cause.getMessage() : Described.thrown(cause));
    }
    if (isFromFallback()) {
      text.append("; the fallback answered");
    } else if (fallbackError != null) {
      text.append("; the fallback did not answer: ").append(Described.thrown(fallbackError));
    }
    if (attempts > 1) {
      text.append("; it was attempted ").append(attempts).append(" times");
    }
    return text.append(" (after ").append(callerNanos / 1_000).append(" us)").toString();
  }

  @Override
  public String toString() {
    return commandKey + events() + "[" + callerNanos / 1_000_000 + "ms]";
  }
}
