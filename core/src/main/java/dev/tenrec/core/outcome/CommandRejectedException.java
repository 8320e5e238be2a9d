// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.outcome;

/**
 * An execution was refused because as many as allowed were in flight already; its work never began.
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
    super(commandKey, "", null, withStackTrace, true); // the words are made when they are asked for
    this.reason = reason;
    this.bulkhead = bulkhead;
    this.limit = limit;
    this.inUse = inUse;
  }

  /**
   * A copy of this exception, for the engine: this one was handed to the fallback.
   *
   * @param fallbackError what became of the call's fallback, to be attached as suppressed
   * @param withStackTrace whether to take over the stack trace
   */
  public CommandRejectedException fresh(Throwable fallbackError, boolean withStackTrace) {
    CommandRejectedException mine =
        new CommandRejectedException(commandKey(), reason, bulkhead, limit, inUse, withStackTrace);
    if (withStackTrace) {
      mine.setStackTrace(getStackTrace());
    }
    mine.addSuppressed(fallbackError);
    return mine;
  }

  @Override
  public String getMessage() {
    return commandKey() + " was rejected: " + String.format(reason.words, bulkhead, inUse, limit);
  }

  /** What refused it. */
  public Reason reason() {
    return reason;
  }

  /** The name of the pool or semaphore that refused it. */
  public String bulkhead() {
    return bulkhead;
  }

  /** How many were allowed in flight when it was refused. */
  public int limit() {
    return limit;
  }

  /** How many were in flight when it was refused: all that were allowed, or more. */
  public int inUse() {
    return inUse;
  }
}
