// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.internal.latency;

import dev.tenrec.metrics.internal.rolling.Buckets;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.latency.LatencyTotals;
import dev.tenrec.metrics.latency.SizeSnapshot;
import dev.tenrec.metrics.latency.SizeTotals;

/**
 * The distribution of sizes in a rolling window. {@link #record} is for any thread and lock-free,
 * but for a thread's very first; everything else is ordered by the owner's lock.
 */
public final class RollingSizes {

  private final LatencyRecorder recorder = new LatencyRecorder();
  private Buckets buckets;

  /** Nothing recorded; a window of so many buckets that starts now. */
  public RollingSizes(long windowNanos, int bucketCount, long nowNanos) {
    this.buckets = new Buckets(windowNanos, bucketCount, nowNanos);
  }

  /** Counts one size. */
  public void record(int size) {
    recorder.record(SizeSnapshot.scaled(size));
  }

  /** Whether the current bucket has ended. */
  public boolean isDue(long nowNanos) {
    return buckets.isDue(nowNanos);
  }

  /** Moves on to the bucket of now, if that is another one. */
  public void roll(long nowNanos) {
    if (buckets.isDue(nowNanos)) {
      long boundary = buckets.next();
      buckets.moveOn(nowNanos);
      recorder.roll(boundary, buckets.windowStart(nowNanos));
    }
  }

  /** See {@link Buckets#lateFrom}. */
  public long lateFrom() {
    return buckets.lateFrom();
  }

  /** Goes over to another window; nothing recorded is lost. */
  public void reconfigure(long windowNanos, int bucketCount, long nowNanos) {
    roll(nowNanos);
    buckets = new Buckets(windowNanos, bucketCount, nowNanos);
    recorder.roll(nowNanos, buckets.windowStart(nowNanos));
  }

  /** The sizes since the beginning. */
  public SizeTotals totals() {
    LatencyRecorder.Sums sum = recorder.sum();
    long[] sums = new long[sum.end()];
    sum.addTo(sums);
    return new SizeTotals(LatencyTotals.of(sums));
  }

  /** The window begins now, with nothing in it. */
  public void restart() {
    recorder.restart();
  }

  /** The sizes in the window. To be called after {@link #roll}. */
  public SizeSnapshot window(long nowNanos) {
    return new SizeSnapshot(
        LatencySnapshot.of(recorder.sum().takeSince(buckets.windowStart(nowNanos))));
  }
}
