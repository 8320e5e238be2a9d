// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.internal.health.EventCells;
import dev.tenrec.metrics.internal.latency.CommandLatencies;
import dev.tenrec.metrics.internal.latency.LatencyReading;
import dev.tenrec.metrics.internal.rolling.StripedCounters;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the threads that end a command's executions write down: the half of {@link CommandMetrics}
 * that every call comes by. Nothing here is ever reset. It is a superclass of {@link
 * CommandMetrics} and not a field, because one object more would cost each command its header.
 */
public abstract sealed class CommandCounters permits CommandWatch {

  private static final int SUCCESS = EventType.SUCCESS.ordinal();

  /**
   * Orders the threads that roll, read or reconfigure. A thread that ends an execution only tries
   * it, except in {@link #keepSuccesses} and {@link CommandMetrics#restartHealth}, and in {@link
   * CommandMetrics#roll} after a silence.
   */
  final ReentrantLock lock = new ReentrantLock();

  private final StripedCounters events = new StripedCounters(EventCells.COUNT);

  /**
   * Null while percentiles are off. Written under the lock, read by any thread; see {@link
   * #recordSuccess} for the way it is taken away.
   */
  volatile @Nullable CommandLatencies latencies;

  /**
   * Records a success with one latency for execution and caller, because the work ran on the
   * caller's own thread. Counts it as {@link EventType#SUCCESS}, too: the latency's slot is the
   * count.
   */
  public void recordSuccess(long latencyNanos) {
    CommandLatencies current = latencies;
    if (current == null) {
      events.add(SUCCESS);
      return;
    }
    try {
      current.recordSuccess(latencyNanos);
    } catch (OutOfMemoryError e) { // for a first latency: the success is counted without
      events.add(SUCCESS);
      return;
    }
    // letGoOf first sets the field to null, then counts the successes: either its count has seen
    // this success, or this thread sees the null
    if (latencies != current) {
      keepSuccesses(current);
    }
  }

  /**
   * Records the time from the execution's start to its end; counts no event. Does nothing while
   * percentiles are off, or if there is no memory for the first latency.
   */
  public void recordExecution(long latencyNanos) {
    CommandLatencies current = latencies;
    if (current != null) {
      try {
        current.recordExecution(latencyNanos);
      } catch (OutOfMemoryError e) {
        return; // what is counted after this must be
      }
    }
  }

  /**
   * Records the time from the call to its answer; counts no event. Does nothing while percentiles
   * are off, or if there is no memory for the first latency.
   */
  public void recordCaller(long latencyNanos) {
    CommandLatencies current = latencies;
    if (current != null) {
      try {
        current.recordCaller(latencyNanos);
      } catch (OutOfMemoryError e) {
        return; // what is counted after this must be
      }
    }
  }

  /**
   * Makes room to count, before there is something that has to be counted.
   *
   * @throws OutOfMemoryError if there is none; after this has returned, no count is lost for want
   *     of memory
   */
  public void reserve() {
    events.reserve();
  }

  /** Counts an event; a success only if {@link #recordSuccess} was not called for it. */
  public void count(EventType event) {
    events.add(event.ordinal());
  }

  /**
   * Counts an event {@code n} times.
   *
   * @throws IllegalArgumentException if {@code n} is negative
   */
  public void count(EventType event, int n) {
    if (n < 0) {
      throw new IllegalArgumentException("n: " + n + " is negative; counts only grow");
    }
    events.add(event.ordinal(), n);
  }

  /**
   * Counts a short-circuited call that the fallback answered: {@link EventType#SHORT_CIRCUITED} and
   * {@link EventType#FALLBACK_SUCCESS} in one.
   */
  public void countRefusedServed() {
    events.add(EventCells.REFUSED_SERVED);
  }

  /**
   * Counts a short-circuited call that has no fallback: {@link EventType#SHORT_CIRCUITED}, {@link
   * EventType#FALLBACK_MISSING} and {@link EventType#EXCEPTION_THROWN} in one.
   */
  public void countRefusedThrown() {
    events.add(EventCells.REFUSED_THROWN);
  }

  /**
   * Counts a call that failed and was answered with a value that was there already: {@link
   * EventType#FAILURE} and {@link EventType#FALLBACK_SUCCESS} in one.
   */
  public void countFailedServed() {
    events.add(EventCells.FAILED_SERVED);
  }

  /** Marks a success that was counted as slow. */
  public void countSlow() {
    events.add(EventCells.SLOW);
  }

  /**
   * Marks a result that was counted as begun before the breaker's last transition: it stays among
   * the events, and is left out of the health.
   *
   * @param error whether it was counted as an error
   * @param slow whether it was marked by {@link #countSlow}
   */
  public void countStale(boolean error, boolean slow) {
    events.add(EventCells.STALE);
    if (error) {
      events.add(EventCells.STALE_ERROR);
    }
    if (slow) {
      events.add(EventCells.STALE_SLOW);
    }
  }

  /** Marks a failure or a time-out that was counted as one of a call that only shared a run. */
  public void countShared() {
    events.add(EventCells.SHARED);
  }

  /** Marks a retry or a hedge that was counted as one that ended with nothing that is executed. */
  public void countFurtherNotExecuted() {
    events.add(EventCells.FURTHER_NOT_EXECUTED);
  }

  /** Counts a call that was let through only because the breaker observes and does not act. */
  public void countWouldRefuse() {
    events.add(EventCells.WOULD_REFUSE);
  }

  /** Percentiles are switched off. Under the lock. */
  final void letGoOf(CommandLatencies current) {
    latencies = null;
    // the counts are read opaque: without the fence that could happen before the write above
    VarHandle.fullFence();
    events.add(SUCCESS, current.takeSuccesses());
  }

  /** All cells as they stand now. Under the lock. */
  final int[] totals() {
    int[] totals = cells();
    CommandLatencies current = latencies;
    if (current != null) {
      totals[SUCCESS] += current.successes();
    }
    return totals;
  }

  /**
   * All cells, but for the successes that only a reading of the latencies knows: see {@link
   * #addSuccesses}.
   */
  final int[] cells() {
    int[] totals = new int[EventCells.COUNT];
    events.sumInto(totals);
    EventCells.unfold(totals);
    return totals;
  }

  /** Completes {@link #cells} by what was read of the latencies after them. */
  static void addSuccesses(int[] totals, LatencyReading latencies) {
    totals[SUCCESS] += latencies.successes();
  }

  /**
   * A success was recorded in latencies that were taken away meanwhile: counts it, unless it has
   * been.
   */
  private void keepSuccesses(CommandLatencies gone) {
    lock.lock();
    try {
      events.add(SUCCESS, gone.takeSuccesses());
    } finally {
      lock.unlock();
    }
  }
}
