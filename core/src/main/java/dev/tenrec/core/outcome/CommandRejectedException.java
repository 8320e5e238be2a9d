// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An execution was refused because as many as allowed were in flight already, or because its rate
 * limiter had no permit; its work never began.
 */
public final class CommandRejectedException extends CommandException {

  private static final long serialVersionUID = 1L;

  /** What refused it. */
  public enum Reason {
    /** The thread pool: all threads busy and the queue, if any, full. */
    THREAD_POOL("its thread pool %s is full: %d in flight, %d allowed (threads and queue)"),
    /** The semaphore. */
    SEMAPHORE("its semaphore %s has no permit left: %d in flight, %d allowed"),
    /** The permits of its virtual threads. */
    VIRTUAL_THREAD("its virtual threads %s have no permit left: %d in flight, %d allowed"),
    /** The fallback's own permits. */
    FALLBACK("the fallback of %s has no permit left: %d in flight, %d allowed"),
    /**
     * The callback executor, which would have run the fallback of a time-out that no caller waits
     * for; it reports no limit and no use: both are 0.
     */
    CALLBACK_EXECUTOR("the callback executor is full, so nobody runs the fallback of %s"),
    /**
     * The callback executor, which would have started a collapser's batch; it reports no limit:
     * that is 0. In use are the requests in the batch.
     */
    BATCH_START("%s had no room to start its batch (%d requests waited in it)"),
    /**
     * The rate limiter: no permit was left. Its limit is the permits of a period; none are in use,
     * for a permit of a rate does not come back. {@link #untilNextPermit} says when one comes.
     */
    RATE_LIMITER("its rate limiter %s has no permit left (%3$d in each period)"),
    /** Tenrec was closed, or the command removed. */
    CLOSED("%s was removed, or its Tenrec closed (%d in flight, %d allowed)");

    private final String words;

    Reason(String words) {
      this.words = words;
    }
  }

  private final Reason reason;
  private final String bulkhead;
  private final int limit;
  private final int inUse;

  /** -1 where it was no rate limiter. */
  private final long untilNextPermitNanos;

  /**
   * For the engine.
   *
   * @param commandKey which command
   * @param reason what refused it
   * @param bulkhead the name of the pool or semaphore
   * @param limit how many it allows
   * @param inUse how many it held when it refused
   * @param withStackTrace whether to fill in a stack trace
   */
  public CommandRejectedException(
      String commandKey,
      Reason reason,
      String bulkhead,
      int limit,
      int inUse,
      boolean withStackTrace) {
    this(commandKey, reason, bulkhead, limit, inUse, -1, withStackTrace);
  }

  private CommandRejectedException(
      String commandKey,
      Reason reason,
      String bulkhead,
      int limit,
      int inUse,
      long untilNextPermitNanos,
      boolean withStackTrace) {
    super(commandKey, "", null, withStackTrace, true); // the words are made when they are asked for
    this.untilNextPermitNanos = untilNextPermitNanos;
    this.reason = reason;
    this.bulkhead = bulkhead;
    this.limit = limit;
    this.inUse = inUse;
  }

  /**
   * A rate limiter had no permit; for the engine.
   *
   * @param commandKey which command
   * @param limiter the limiter's name
   * @param permits how many permits come in each period
   * @param untilNextPermitNanos from the call to the next permit
   * @param withStackTrace whether to fill in a stack trace
   */
  public static CommandRejectedException rateLimited(
      String commandKey,
      String limiter,
      int permits,
      long untilNextPermitNanos,
      boolean withStackTrace) {
    return new CommandRejectedException(
        commandKey, Reason.RATE_LIMITER, limiter, permits, 0, untilNextPermitNanos, withStackTrace);
  }

  /**
   * A copy of this exception, for the engine: this one was handed to the fallback.
   *
   * @param fallbackError what became of the call's fallback, to be attached as suppressed
   * @param withStackTrace whether to take over the stack trace
   */
  public CommandRejectedException fresh(Throwable fallbackError, boolean withStackTrace) {
    CommandRejectedException mine =
        new CommandRejectedException(
            commandKey(), reason, bulkhead, limit, inUse, untilNextPermitNanos, withStackTrace);
    if (withStackTrace) {
      mine.setStackTrace(getStackTrace());
    }
    mine.addSuppressed(fallbackError);
    return mine;
  }

  @Override
  public String getMessage() {
    Duration next = untilNextPermit();
    return commandKey()
        + " was rejected: "
        + String.format(reason.words, bulkhead, inUse, limit)
        + (next == null ? "" : ", the next one comes in " + next);
  }

  /** What refused it. */
  public Reason reason() {
    return reason;
  }

  /**
   * How long it is from the call to the next permit of its rate limiter, exact to the nanosecond; a
   * call of another thread may take that permit first. Null where no rate limiter refused.
   */
  public @Nullable Duration untilNextPermit() {
    return untilNextPermitNanos < 0 ? null : Duration.ofNanos(untilNextPermitNanos);
  }

  /** The name of the pool, semaphore or rate limiter that refused it. */
  public String bulkhead() {
    return bulkhead;
  }

  /**
   * How many were allowed in flight when it was refused; see {@link Reason} for what reports none.
   */
  public int limit() {
    return limit;
  }

  /**
   * How many were in flight when it was refused: all that were allowed, or more; see {@link Reason}
   * for what reports none.
   */
  public int inUse() {
    return inUse;
  }

  @Override
  public FailureType failureType() {
    return switch (reason) {
      case THREAD_POOL -> FailureType.REJECTED_BY_THREAD_POOL;
      case SEMAPHORE, VIRTUAL_THREAD -> FailureType.REJECTED_BY_SEMAPHORE;
      case RATE_LIMITER -> FailureType.RATE_LIMITED;
      case FALLBACK, CALLBACK_EXECUTOR, BATCH_START -> FailureType.REJECTED_FALLBACK;
      case CLOSED -> FailureType.CLOSED;
    };
  }
}
