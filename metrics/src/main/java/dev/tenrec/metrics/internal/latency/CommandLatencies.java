// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.latency;

import dev.tenrec.metrics.internal.rolling.Buckets;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.LatencySnapshots;
import dev.tenrec.metrics.latency.LatencyTotals;
import org.jspecify.annotations.Nullable;

/**
 * The two latencies of a command: of its execution, and of its caller, which may also have waited
 * for a fallback or for a thread. Where the two are one, which is nearly always the case for work
 * on the caller's own thread, they are recorded once, and readers add that to both.
 *
 * <p>The {@code record} methods are for any thread and lock-free, but for a thread's very first;
 * everything else is ordered by the owner's lock.
 */
public final class CommandLatencies {

  private final LatencyRecorder shared = new LatencyRecorder();

  /**
   * Like {@code caller}: written once, under this object's monitor, by the first thread that
   * records one; read by any thread.
   */
  private volatile @Nullable LatencyRecorder execution;

  private volatile @Nullable LatencyRecorder caller;

  private Buckets buckets;

  /** Successes that were taken into the owner's own counts; modulo 2^32. */
  private int taken;

  /** Nothing recorded; a window of so many buckets that starts now. */
  public CommandLatencies(long windowNanos, int bucketCount, long nowNanos) {
    this.buckets = new Buckets(windowNanos, bucketCount, nowNanos);
  }

  /** Records the one latency of a success, for execution and caller, and thereby counts it. */
  public void recordSuccess(long latencyNanos) {
    shared.record(latencyNanos);
  }

  /** Records an execution's latency alone. */
  public void recordExecution(long latencyNanos) {
    LatencyRecorder recorder = execution;
    (recorder == null ? firstExecution() : recorder).record(latencyNanos);
  }

  /** Records a caller's latency alone. */
  public void recordCaller(long latencyNanos) {
    LatencyRecorder recorder = caller;
    (recorder == null ? firstCaller() : recorder).record(latencyNanos);
  }

  /** How often {@link #recordSuccess} was called, modulo 2^32, less what was taken. */
  public int successes() {
    return shared.count() - taken;
  }

  /** Returns {@link #successes()} and takes them: no later call will report these again. */
  public int takeSuccesses() {
    int untaken = successes();
    taken += untaken;
    return untaken;
  }

  /** The next bucket boundary. */
  public long next() {
    return buckets.next();
  }

  /** Moves on to the bucket of now, if that is another one. */
  public void roll(long nowNanos) {
    if (buckets.isDue(nowNanos)) {
      long boundary = buckets.next();
      buckets.moveOn(nowNanos);
      rollAll(boundary, nowNanos);
    }
  }

  /** Goes over to another window; nothing recorded is lost. */
  public void reconfigure(long windowNanos, int bucketCount, long nowNanos) {
    roll(nowNanos);
    buckets = new Buckets(windowNanos, bucketCount, nowNanos);
    rollAll(nowNanos, nowNanos);
  }

  /** The executions' latencies in the window. To be called after {@link #roll}. */
  public LatencySnapshot execution(long nowNanos) {
    return window(nowNanos).execution();
  }

  /** The callers' latencies in the window. To be called after {@link #roll}. */
  public LatencySnapshot caller(long nowNanos) {
    return window(nowNanos).caller();
  }

  /** Both latencies in the window. To be called after {@link #roll}. */
  public LatencySnapshots window(long nowNanos) {
    return window(shared.sum(), sum(execution), sum(caller), nowNanos);
  }

  /** All there is, from one sum of each recorder. To be called after {@link #roll}. */
  public LatencyReading read(long nowNanos) {
    LatencyRecorder.Sums both = shared.sum();
    LatencyRecorder.Sums executions = sum(execution);
    LatencyRecorder.Sums callers = sum(caller);
    LatencyReading sinceTheBeginning = reading(both, executions, callers);
    return sinceTheBeginning.with(window(both, executions, callers, nowNanos));
  }

  /** The same without the window, which is not looked at. */
  public LatencyReading readTotals() {
    return reading(shared.sum(), sum(execution), sum(caller));
  }

  /** The window begins now, with nothing in it. */
  public void restart() {
    shared.restart();
    restartOne(execution);
    restartOne(caller);
  }

  private LatencyReading reading(
      LatencyRecorder.Sums both,
      LatencyRecorder.@Nullable Sums executions,
      LatencyRecorder.@Nullable Sums callers) {
    LatencyTotals ofExecutions = totals(both, executions);
    boolean same = executions == null && callers == null;
    return new LatencyReading(
        both.count() - taken,
        LatencySnapshots.EMPTY,
        ofExecutions,
        same ? ofExecutions : totals(both, callers));
  }

  private static LatencyTotals totals(
      LatencyRecorder.Sums both, LatencyRecorder.@Nullable Sums own) {
    long[] sums = new long[own == null ? both.end() : Math.max(both.end(), own.end())];
    both.addTo(sums);
    if (own != null) {
      own.addTo(sums);
    }
    return LatencyTotals.of(sums);
  }

  private static LatencyRecorder.@Nullable Sums sum(@Nullable LatencyRecorder recorder) {
    return recorder == null ? null : recorder.sum();
  }

  private static void restartOne(@Nullable LatencyRecorder recorder) {
    if (recorder != null) {
      recorder.restart();
    }
  }

  /** Takes the sums. */
  private LatencySnapshots window(
      LatencyRecorder.Sums both,
      LatencyRecorder.@Nullable Sums executions,
      LatencyRecorder.@Nullable Sums callers,
      long nowNanos) {
    long start = buckets.windowStart(nowNanos);
    int[] ofBoth = both.takeSince(start);
    LatencySnapshot ofExecutions = window(ofBoth, executions, start);
    boolean same = executions == null && callers == null;
    return new LatencySnapshots(ofExecutions, same ? ofExecutions : window(ofBoth, callers, start));
  }

  private static LatencySnapshot window(
      int[] ofBoth, LatencyRecorder.@Nullable Sums own, long startNanos) {
    if (own == null) {
      return LatencySnapshot.of(ofBoth);
    }
    int[] counts = own.takeSince(startNanos);
    for (int i = 0; i < counts.length; i++) {
      counts[i] += ofBoth[i];
    }
    return LatencySnapshot.of(counts);
  }

  private void rollAll(long boundaryNanos, long nowNanos) {
    long start = buckets.windowStart(nowNanos);
    shared.roll(boundaryNanos, start);
    rollOne(execution, boundaryNanos, start);
    rollOne(caller, boundaryNanos, start);
  }

  private static void rollOne(
      @Nullable LatencyRecorder recorder, long boundaryNanos, long startNanos) {
    if (recorder != null) {
      recorder.roll(boundaryNanos, startNanos);
    }
  }

  private synchronized LatencyRecorder firstExecution() {
    LatencyRecorder recorder = execution;
    if (recorder == null) {
      recorder = new LatencyRecorder();
      execution = recorder;
    }
    return recorder;
  }

  private synchronized LatencyRecorder firstCaller() {
    LatencyRecorder recorder = caller;
    if (recorder == null) {
      recorder = new LatencyRecorder();
      caller = recorder;
    }
    return recorder;
  }
}
