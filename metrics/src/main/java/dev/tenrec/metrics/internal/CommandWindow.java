// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal;

import dev.tenrec.metrics.event.CountsSnapshot;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.health.HealthSnapshot;
import dev.tenrec.metrics.internal.health.EventCells;
import dev.tenrec.metrics.internal.health.HealthRestart;
import dev.tenrec.metrics.internal.rolling.Buckets;
import dev.tenrec.metrics.internal.rolling.CumulativeTotals;
import dev.tenrec.metrics.internal.rolling.History;
import dev.tenrec.metrics.internal.rolling.RollingMaximum;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command's counts come to: in the rolling window, for the breaker, and since the beginning.
 * Every {@code totals} is what the {@link EventCells} stand at now, as an array that is the
 * callee's to change.
 *
 * <p>Not thread-safe: the lock of {@link CommandMetrics} orders everything but {@link #takeMissed}.
 */
final class CommandWindow {

  private static final VarHandle MISSED;

  static {
    try {
      MISSED = MethodHandles.lookup().findVarHandle(CommandWindow.class, "missed", List.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ConcurrencyGauge gauge;
  private final History history = new History();
  private final CumulativeTotals cumulative = new CumulativeTotals();
  private final RollingMaximum maxConcurrency = new RollingMaximum();
  private Buckets buckets;
  private @Nullable HealthRestart restart;

  /**
   * See {@link #keepHealthAtEnd}. Written under the lock, and set to null by the thread in {@link
   * #takeMissed}, without the lock.
   */
  private volatile @Nullable List<HealthSnapshot> missed;

  CommandWindow(MetricsSettings settings, long nowNanos, ConcurrencyGauge gauge) {
    this.gauge = gauge;
    this.buckets = new Buckets(settings.rollingWindowNanos(), settings.rollingBuckets(), nowNanos);
  }

  /** The next bucket boundary. */
  long next() {
    return buckets.next();
  }

  boolean isDue(long nowNanos) {
    return buckets.isDue(nowNanos);
  }

  /**
   * Closes the buckets that have ended; to be called when due.
   *
   * @param justEnded how many executions, the caller's own, were in flight an instant ago and are
   *     not in the gauge any more
   */
  void roll(int[] totals, long nowNanos, int justEnded) {
    cumulative.fold(totals);
    long boundary = buckets.next();
    history.append(boundary, totals);
    // the first answer belongs to the bucket that has ended, the second to that of now; what is in
    // flight belongs to both
    int ended = gauge.takeMaximum();
    maxConcurrency.see(boundary, ended);
    buckets.moveOn(nowNanos);
    maxConcurrency.see(buckets.next(), Math.min(ended, gauge.takeMaximum() + justEnded));
    long start = buckets.windowStart(nowNanos);
    history.prune(start);
    if (restart != null && !restart.isWithin(start)) {
      restart = null; // not before the history has forgotten what came before it
    }
  }

  /** Goes over to another window that starts a bucket now; to be called when nothing is due. */
  void resize(MetricsSettings settings, int[] totals, long nowNanos) {
    buckets = new Buckets(settings.rollingWindowNanos(), settings.rollingBuckets(), nowNanos);
    history.append(nowNanos, totals);
    if (restart != null) {
      restart = restart.cutAt(nowNanos);
    }
  }

  /** What was counted in the window; unsigned. */
  long rolling(int[] totals, int cell, long nowNanos) {
    history.subtractUntil(buckets.windowStart(nowNanos), totals);
    return Integer.toUnsignedLong(totals[cell]);
  }

  /** See {@link CommandMetrics#executions}. */
  long executions(int[] totals, long mostNanos, long nowNanos) {
    history.subtractUntil(buckets.windowStart(nowNanos), totals);
    long executions = EventCells.executions(totals);
    long length = buckets.lengthNanos();
    return length <= mostNanos ? executions : (long) ((double) executions * mostNanos / length);
  }

  long cumulative(int[] totals, int cell) {
    cumulative.fold(totals);
    return cumulative.get(cell);
  }

  /** All events, in the window and since the beginning; leaves {@code totals} as they are. */
  CountsSnapshot counts(int[] totals, long nowNanos) {
    int[] inWindow = totals.clone();
    history.subtractUntil(buckets.windowStart(nowNanos), inWindow);
    cumulative.fold(totals);
    return new CountsSnapshot(
        EventCounts.of(event -> Integer.toUnsignedLong(inWindow[event.ordinal()])),
        EventCounts.of(event -> cumulative.get(event.ordinal())));
  }

  HealthSnapshot health(int[] totals, long nowNanos) {
    long start = buckets.windowStart(nowNanos);
    if (restart != null && restart.isWithin(start)) {
      restart.subtractFrom(totals);
    } else {
      history.subtractUntil(start, totals);
    }
    return EventCells.health(totals);
  }

  /**
   * The bucket that has ended has trouble that no look has seen: keeps the health at its end, with
   * all the window held then. To be called before {@link #roll}, when due.
   */
  void keepHealthAtEnd(int[] totals, long nowNanos) {
    long end = buckets.next();
    HealthSnapshot ended =
        nowNanos - end < buckets.lengthNanos() ? health(totals, end - 1) : HealthSnapshot.EMPTY;
    List<HealthSnapshot> before = missed;
    if (ended.total() == 0) { // longer ago than the window lasts: it says nothing of now
      missed = null;
    } else if (before == null || !MISSED.compareAndSet(this, before, with(ended, before))) {
      missed = List.of(ended); // those before are taken
    }
  }

  /** Without those that open no circuit but what another one opens. */
  private static List<HealthSnapshot> with(HealthSnapshot ended, List<HealthSnapshot> before) {
    List<HealthSnapshot> worst = new ArrayList<>(before.size() + 1);
    for (HealthSnapshot kept : before) {
      if (isAsBad(kept, ended)) {
        return before;
      }
      if (!isAsBad(ended, kept)) {
        worst.add(kept);
      }
    }
    worst.add(ended);
    return worst;
  }

  /** Whether the one opens every circuit that the other opens, whatever its thresholds are. */
  private static boolean isAsBad(HealthSnapshot one, HealthSnapshot other) {
    return one.total() >= other.total() && one.troublePercentage() >= other.troublePercentage();
  }

  /** What was kept since the last call of this method. By any thread, without the lock. */
  @SuppressWarnings("unchecked") // the field's own type
  List<HealthSnapshot> takeMissed() {
    List<HealthSnapshot> taken =
        missed == null ? null : (List<HealthSnapshot>) MISSED.getAndSet(this, null);
    return taken == null ? List.of() : taken;
  }

  /** The health begins now, with nothing in it; to be called when nothing is due. */
  void restartHealth(int[] totals) {
    restart = new HealthRestart(totals, buckets.next());
    missed = null;
  }

  /** Begins now, with nothing in it; to be called when nothing is due. */
  void restart(int[] totals) {
    cumulative.fold(totals);
    history.restart(totals);
    restart = null;
    missed = null;
    int unused = gauge.takeMaximum();
    maxConcurrency.restart();
  }

  /** All cells since the beginning, as they stand at {@code totals}. */
  CumulativeTotals cumulative(int[] totals) {
    cumulative.fold(totals);
    return cumulative;
  }

  int maxConcurrency(long nowNanos) {
    maxConcurrency.see(buckets.end(nowNanos), gauge.takeMaximum());
    return maxConcurrency.since(buckets.windowStart(nowNanos));
  }
}
