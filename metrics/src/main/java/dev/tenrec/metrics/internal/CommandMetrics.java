// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.health.EventCells;
import dev.tenrec.metrics.internal.latency.CommandLatencies;
import dev.tenrec.metrics.internal.latency.LatencyReading;
import dev.tenrec.metrics.internal.rolling.CumulativeTotals;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import dev.tenrec.metrics.view.CommandTotals;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What one command counts and measures. Thread-safe. Every {@code nowNanos} is a reading of one
 * {@link dev.tenrec.metrics.time.Ticker}.
 *
 * <p>Counting and recording are lock-free and allocate nothing, but for a thread's very first.
 * Nothing is ever reset: rolling counts are differences to what was remembered at a bucket's
 * boundary, so a call may be counted in the bucket after its own, or in the one before if another
 * thread closes that at the same moment, but is never lost and never counted twice. An execution's
 * end goes like this:
 *
 * <pre>{@code
 * boolean due = metrics.isDue(now);             // or isDueAfterError
 * if (due) {
 *   metrics.roll(now);                          // before counting
 * }
 * metrics.recordSuccess(latencyNanos);          // or what else there is to count
 * HealthSnapshot health = due ? metrics.lookAtHealth(now) : null;
 * }</pre>
 *
 * <p>An error or a slow call that did not look at the health itself is left to another look: see
 * {@link CommandWatch}.
 */
public final class CommandMetrics extends CommandWatch {

  private static final VarHandle DUE;
  private static final VarHandle DUE_AFTER_ERROR;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      DUE = lookup.findVarHandle(CommandMetrics.class, "dueNanos", long.class);
      DUE_AFTER_ERROR =
          lookup.findVarHandle(CommandMetrics.class, "dueAfterErrorNanos", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * The next bucket boundary or look at the health. Written under the lock, read by any thread;
   * opaque, as an instant late does no harm.
   */
  private long dueNanos;

  /**
   * The next bucket boundary or look at the health after an error. Written and read as {@link
   * #dueNanos}.
   */
  private long dueAfterErrorNanos;

  /** Read and written under the lock only. */
  private final CommandWindow window;

  /** Written under the lock, read by any thread. */
  private volatile MetricsSettings settings;

  /**
   * The last look by a call that has ended. Written under the lock, read by the thread that arms a
   * look.
   */
  private volatile long lastLookNanos;

  /** Metrics of a command that was never called; the windows start now. */
  public CommandMetrics(MetricsSettings settings, long nowNanos, ConcurrencyGauge gauge) {
    this.settings = settings;
    this.window = new CommandWindow(settings, nowNanos, gauge);
    this.lastLookNanos = nowNanos;
    this.latencies = settings.percentileEnabled() ? newLatencies(settings, nowNanos) : null;
    moveDue();
  }

  /** Whether a bucket has ended, or it is time to look at the health. One read and a comparison. */
  @Override
  public boolean isDue(long nowNanos) {
    return nowNanos - (long) DUE.getOpaque(this) >= 0;
  }

  /**
   * Whether a bucket has ended, or it is time to look at the health after an error: as soon as a
   * tenth of the health interval has passed since the last look.
   */
  @Override
  public boolean isDueAfterError(long nowNanos) {
    return nowNanos - (long) DUE_AFTER_ERROR.getOpaque(this) >= 0;
  }

  /**
   * Closes the buckets that have ended. To be called before counting, when due, with the permit
   * released. If another thread holds the lock, returns at once; but where a bucket's end may be a
   * bucket ago or more, as after a silence, waits for the lock: what is counted next would fall
   * into that bucket, which may have left the window. This goes by when it was due, so that threads
   * may wait as well where for long no call has looked at the health.
   */
  public void roll(long nowNanos) {
    if (lock.tryLock() || lockIfLate(nowNanos)) {
      try {
        rollLocked(nowNanos, 1);
      } catch (OutOfMemoryError e) {
        // what is to be counted after this must be: the bucket closes with the next call that ends
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean lockIfLate(long nowNanos) {
    // no bucket has ended before this moment without being closed
    if (nowNanos - (long) DUE.getOpaque(this) < settings.lateNanos()) {
      return false;
    }
    return waitFor(lock);
  }

  /** False if there is no memory for waiting: what is to be counted has to be all the same. */
  static boolean waitFor(ReentrantLock lock) {
    try {
      lock.lock();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /**
   * The health of now, for the breaker. To be called after counting, when due; the next look by a
   * call that ends is due an interval later.
   *
   * @return null if another thread holds the lock; it may have summed before this call was counted
   */
  public @Nullable HealthSnapshot lookAtHealth(long nowNanos) {
    if (!lock.tryLock()) {
      return null;
    }
    try {
      rollLocked(nowNanos, 1);
      lastLookNanos = nowNanos;
      moveDue();
      HealthSnapshot health = lookLocked(nowNanos);
      found(health);
      return health;
    } catch (OutOfMemoryError e) {
      return null; // the next look sees this trouble too
    } finally {
      lock.unlock();
    }
  }

  /**
   * The health of now, for the breaker, before a call is admitted. The next look by a call that
   * ends is due as before, so that an error after this is looked at as soon as it would have been.
   *
   * @return null if another thread holds the lock
   */
  public @Nullable HealthSnapshot lookBeforeCall(long nowNanos) {
    return lookBetweenCalls(nowNanos, false);
  }

  /**
   * The health of now, for the breaker, by the timer. The next look by a call that ends is due as
   * before; the next admission looks again if there is trouble in the window.
   *
   * @return null if another thread holds the lock
   */
  public @Nullable HealthSnapshot lookArmed(long nowNanos) {
    return lookBetweenCalls(nowNanos, true);
  }

  /**
   * When the armed look has to come, on account of trouble that was counted at {@code nowNanos}: an
   * interval after the last look, or a tenth of it from now on if that is over or nearly so.
   */
  public long armedLookNanos(long nowNanos) {
    long interval = settings.healthIntervalNanos();
    long due = lastLookNanos + interval;
    return due - nowNanos < interval / 10 ? nowNanos + interval / 10 : due;
  }

  /**
   * The health at each moment since the last look at which the window moved on past trouble that no
   * look had seen; empty if there was none. A health is left out if another one opens every circuit
   * that it opens. To be called after a look, and judged as that look's results. The call takes
   * them away.
   */
  public List<HealthSnapshot> takeMissed() {
    return window.takeMissed();
  }

  private @Nullable HealthSnapshot lookBetweenCalls(long nowNanos, boolean again) {
    if (!lock.tryLock()) {
      return null;
    }
    try {
      rollLocked(nowNanos, 0);
      HealthSnapshot health = lookLocked(nowNanos);
      if (again) {
        found(health);
      }
      return health;
    } catch (OutOfMemoryError e) {
      return null; // the trouble is marked still, for the next look
    } finally {
      lock.unlock();
    }
  }

  private HealthSnapshot lookLocked(long nowNanos) {
    looks();
    try {
      return window.health(totals(), nowNanos);
    } catch (OutOfMemoryError e) {
      looksInVain();
      throw e;
    }
  }

  /** The breaker has closed: the health starts from zero. The other counts do not. */
  public void restartHealth(long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      looks();
      window.restartHealth(totals());
      watchWindow(); // a call that ends between the two is of the new period, and unseen
    } finally {
      lock.unlock();
    }
  }

  /** The health of now, for a reader: the next look is due as before. */
  public HealthSnapshot health(long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      return window.health(totals(), nowNanos);
    } finally {
      lock.unlock();
    }
  }

  /** How often this event was counted in the rolling window. */
  public long rollingCount(EventType event, long nowNanos) {
    return rolling(event.ordinal(), nowNanos);
  }

  /** How often this event was counted since the beginning. */
  public long cumulativeCount(EventType event) {
    return cumulative(event.ordinal());
  }

  /**
   * How many executions there were in so long a time, by the rolling window, further attempts left
   * out. A shorter window knows fewer. Of a longer one it is the average, and too few as long as
   * not all of that is known: of a young command, and after the window has become longer.
   */
  public long executions(long mostNanos, long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      return window.executions(totals(), mostNanos, nowNanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * How many calls of the rolling window would have been refused if the breaker did not only
   * observe.
   */
  public long rollingWouldRefuseCount(long nowNanos) {
    return rolling(EventCells.WOULD_REFUSE, nowNanos);
  }

  /**
   * How many calls since the beginning would have been refused if the breaker did not only observe.
   */
  public long cumulativeWouldRefuseCount() {
    return cumulative(EventCells.WOULD_REFUSE);
  }

  /** How often each event was counted, from one sum of all counters. */
  public CountsSnapshot counts(long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      return window.counts(totals(), nowNanos);
    } finally {
      lock.unlock();
    }
  }

  /** Both latencies in the percentile window; empty while percentiles are off. */
  public LatencySnapshots latencies(long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      return latenciesLocked(nowNanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Everything at once, from one sum of all counters.
   *
   * @param abandoned what {@link CommandTotals#abandoned} is to be
   */
  public CommandReading read(long nowNanos, long abandoned) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      CommandLatencies current = latencies;
      int[] totals = cells();
      LatencyReading latency = current == null ? LatencyReading.NONE : current.read(nowNanos);
      addSuccesses(totals, latency);
      return new CommandReading(
          window.counts(totals, nowNanos),
          window.health(totals.clone(), nowNanos),
          latency.window(),
          window.maxConcurrency(nowNanos),
          window.rolling(totals.clone(), EventCells.WOULD_REFUSE, nowNanos),
          totalsLocked(totals, latency, abandoned));
    } finally {
      lock.unlock();
    }
  }

  /**
   * All there is since the beginning, from one sum of all counters; nothing of the windows is
   * looked at, and no bucket closes.
   *
   * @param abandoned what {@link CommandTotals#abandoned} is to be
   */
  public CommandTotals totals(long abandoned) {
    lock.lock();
    try {
      CommandLatencies current = latencies;
      int[] totals = cells();
      LatencyReading latency = current == null ? LatencyReading.NONE : current.readTotals();
      addSuccesses(totals, latency);
      return totalsLocked(totals, latency, abandoned);
    } finally {
      lock.unlock();
    }
  }

  private CommandTotals totalsLocked(int[] totals, LatencyReading latency, long abandoned) {
    CumulativeTotals cumulative = window.cumulative(totals);
    return new CommandTotals(
        EventCounts.of(event -> cumulative.get(event.ordinal())),
        cumulative.get(EventCells.WOULD_REFUSE),
        abandoned,
        latency.execution(),
        latency.caller());
  }

  /**
   * The windows begin now: of counts, of latencies, and of the health. What is counted since the
   * beginning goes on.
   */
  public void restart(long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      looks();
      window.restart(totals());
      CommandLatencies current = latencies;
      if (current != null) {
        current.restart();
      }
      watchWindow(); // a call that ends between the two is of the new period, and unseen
    } finally {
      lock.unlock();
    }
  }

  /** The executions' latencies in the percentile window; empty while percentiles are off. */
  public LatencySnapshot executionLatency(long nowNanos) {
    return latency(CommandLatencies::execution, nowNanos);
  }

  /** The callers' latencies in the percentile window; empty while percentiles are off. */
  public LatencySnapshot callerLatency(long nowNanos) {
    return latency(CommandLatencies::caller, nowNanos);
  }

  /** The greatest concurrency in the rolling window, by the gauge. */
  public int rollingMaxConcurrency(long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      return window.maxConcurrency(nowNanos);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Goes over to other settings. Loses no count: a longer window knows, at first, what the shorter
   * one had kept. Switching percentiles off lets go of the latencies and keeps the successes they
   * stood for; switched on again, they start afresh.
   */
  public void reconfigure(MetricsSettings changed, long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      MetricsSettings before = settings;
      settings = changed;
      if (before.rollingWindowNanos() != changed.rollingWindowNanos()
          || before.rollingBuckets() != changed.rollingBuckets()) {
        window.resize(changed, totals(), nowNanos);
      }
      reconfigureLatencies(before, changed, nowNanos);
      moveDue();
    } finally {
      lock.unlock();
    }
  }

  private void reconfigureLatencies(
      MetricsSettings before, MetricsSettings changed, long nowNanos) {
    CommandLatencies current = latencies;
    if (current == null) {
      latencies = changed.percentileEnabled() ? newLatencies(changed, nowNanos) : null;
    } else if (!changed.percentileEnabled()) {
      letGoOf(current);
    } else if (before.percentileWindowNanos() != changed.percentileWindowNanos()
        || before.percentileBuckets() != changed.percentileBuckets()) {
      current.reconfigure(changed.percentileWindowNanos(), changed.percentileBuckets(), nowNanos);
    }
  }

  private LatencySnapshot latency(
      BiFunction<CommandLatencies, Long, LatencySnapshot> which, long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      CommandLatencies current = latencies;
      return current == null ? LatencySnapshot.EMPTY : which.apply(current, nowNanos);
    } finally {
      lock.unlock();
    }
  }

  private LatencySnapshots latenciesLocked(long nowNanos) {
    CommandLatencies current = latencies;
    return current == null ? LatencySnapshots.EMPTY : current.window(nowNanos);
  }

  private long rolling(int cell, long nowNanos) {
    lock.lock();
    try {
      rollLocked(nowNanos, 0);
      return window.rolling(totals(), cell, nowNanos);
    } finally {
      lock.unlock();
    }
  }

  private long cumulative(int cell) {
    lock.lock();
    try {
      return window.cumulative(totals(), cell);
    } finally {
      lock.unlock();
    }
  }

  /**
   * @param justEnded see {@link CommandWindow#roll}
   */
  private void rollLocked(long nowNanos, int justEnded) {
    if (window.isDue(nowNanos)) {
      int[] totals = totals();
      if (isLookComing()) {
        window.keepHealthAtEnd(totals.clone(), nowNanos);
      }
      window.roll(totals, nowNanos, justEnded);
    }
    CommandLatencies current = latencies;
    if (current != null) {
      current.roll(nowNanos);
    }
    moveDue();
  }

  private void moveDue() {
    long boundary = window.next();
    CommandLatencies current = latencies;
    if (current != null) {
      boundary = earlier(boundary, current.next());
    }
    long interval = settings.healthIntervalNanos();
    DUE.setOpaque(this, earlier(boundary, lastLookNanos + interval));
    DUE_AFTER_ERROR.setOpaque(this, earlier(boundary, lastLookNanos + interval / 10));
  }

  private static long earlier(long oneNanos, long otherNanos) {
    return oneNanos - otherNanos < 0 ? oneNanos : otherNanos;
  }

  private static CommandLatencies newLatencies(MetricsSettings settings, long nowNanos) {
    return new CommandLatencies(
        settings.percentileWindowNanos(), settings.percentileBuckets(), nowNanos);
  }
}
