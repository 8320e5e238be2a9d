// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.health;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;

/**
 * Where the events of a command are counted: one cell for each type, by its ordinal, and some of
 * ours that are no events.
 */
public final class EventCells {

  /** Successes that took too long. */
  public static final int SLOW = EventType.COUNT;

  /**
   * Results that began before the breaker's last transition: they are among the events, but say
   * nothing about health now.
   */
  public static final int STALE = SLOW + 1;

  /** How many of the stale ones were errors. */
  public static final int STALE_ERROR = STALE + 1;

  /** How many of the stale ones were slow. */
  public static final int STALE_SLOW = STALE_ERROR + 1;

  /**
   * Calls that were let through, but would have been refused without {@code
   * circuitBreaker.observeOnly}.
   */
  public static final int WOULD_REFUSE = STALE_SLOW + 1;

  /**
   * Short-circuited calls that the fallback answered: each stands for a {@link
   * EventType#SHORT_CIRCUITED} and a {@link EventType#FALLBACK_SUCCESS} that are counted nowhere
   * else. Such a call does next to nothing, so a second atomic add would be felt.
   */
  public static final int REFUSED_SERVED = WOULD_REFUSE + 1;

  /**
   * Short-circuited calls that have no fallback: each stands for a {@link
   * EventType#SHORT_CIRCUITED}, a {@link EventType#FALLBACK_MISSING} and an {@link
   * EventType#EXCEPTION_THROWN} that are counted nowhere else.
   */
  public static final int REFUSED_THROWN = REFUSED_SERVED + 1;

  /**
   * Calls that failed and were answered with a value that was there already: each stands for a
   * {@link EventType#FAILURE} and a {@link EventType#FALLBACK_SUCCESS}.
   */
  public static final int FAILED_SERVED = REFUSED_THROWN + 1;

  /**
   * Failures and time-outs of calls that only shared another call's run: they are among the events,
   * but no execution of their own.
   */
  public static final int SHARED = FAILED_SERVED + 1;

  /**
   * Further attempts, each among the events as {@link EventType#RETRY} or {@link EventType#HEDGE},
   * that ended with nothing that counts as an execution: they were refused, say, or cancelled.
   */
  public static final int FURTHER_NOT_EXECUTED = SHARED + 1;

  /** How many cells there are. */
  public static final int COUNT = FURTHER_NOT_EXECUTED + 1;

  private EventCells() {}

  /** Adds to each event the cells that stand for several; {@code totals} has a cell of each. */
  public static void unfold(int[] totals) {
    int served = totals[REFUSED_SERVED];
    int thrown = totals[REFUSED_THROWN];
    int failed = totals[FAILED_SERVED];
    totals[EventType.SHORT_CIRCUITED.ordinal()] += served + thrown;
    totals[EventType.FAILURE.ordinal()] += failed;
    totals[EventType.FALLBACK_SUCCESS.ordinal()] += served + failed;
    totals[EventType.FALLBACK_MISSING.ordinal()] += thrown;
    totals[EventType.EXCEPTION_THROWN.ordinal()] += thrown;
  }

  /** The health that a window's counts amount to; {@code window} has a cell of each, unsigned. */
  public static HealthSnapshot health(int[] window) {
    long rejected =
        cell(window, EventType.THREAD_POOL_REJECTED) + cell(window, EventType.SEMAPHORE_REJECTED);
    long errors = cell(window, EventType.FAILURE) + cell(window, EventType.TIMEOUT) + rejected;
    long all = errors + cell(window, EventType.SUCCESS);
    // a result and its mark as stale are counted one after the other, so a boundary may come
    // between them: never below zero for that
    long total = Math.max(0, all - cell(window, STALE));
    long freshErrors = between(0, errors - cell(window, STALE_ERROR), total);
    long freshSlow = between(0, cell(window, SLOW) - cell(window, STALE_SLOW), total - freshErrors);
    // a rejection comes at once after its admission, so those left out are the others
    long freshRejected = Math.min(rejected, freshErrors);
    return total == 0
        ? HealthSnapshot.EMPTY
        : new HealthSnapshot(total, freshErrors, freshSlow, freshRejected);
  }

  /**
   * How many executions a window's counts amount to: what came to the dependency, further attempts
   * left out; {@code window} has a cell of each, unsigned.
   */
  public static long executions(int[] window) {
    long attempts =
        cell(window, EventType.SUCCESS)
            + cell(window, EventType.FAILURE)
            + cell(window, EventType.TIMEOUT)
            + cell(window, EventType.BAD_REQUEST)
            + cell(window, EventType.ATTEMPT_OUTRUN)
            - cell(window, SHARED);
    long further =
        cell(window, EventType.RETRY)
            + cell(window, EventType.HEDGE)
            - cell(window, FURTHER_NOT_EXECUTED);
    // one that began before the window counts for nothing there, and may end in it
    return Math.max(0, attempts - Math.max(0, further));
  }

  private static long cell(int[] window, EventType event) {
    return cell(window, event.ordinal());
  }

  private static long cell(int[] window, int index) {
    return Integer.toUnsignedLong(window[index]);
  }

  private static long between(long low, long value, long high) {
    return Math.max(low, Math.min(value, high));
  }
}
