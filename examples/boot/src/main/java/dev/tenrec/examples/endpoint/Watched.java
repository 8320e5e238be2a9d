// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.examples.endpoint;

import dev.tenrec.examples.load.engine.Target;
import dev.tenrec.examples.shared.RunClock;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * A target whose answers are looked at as they come: whose they are, and in which phase of the run
 * they came. Its calls may come from any thread; its phases are begun by one.
 */
final class Watched implements Target {

  static final int SLICE_MILLIS = 100;

  private static final int SLICES = 10_000;
  private static final int DEGRADED = 203;

  private final Target target;
  private final RunClock clock = new RunClock();
  private final AtomicLongArray slices = new AtomicLongArray(SLICES);

  /** Written by whoever brings an answer, read when the run is over. */
  private final AtomicLong allDegraded = new AtomicLong();

  /** Written by the one who begins phases, read by whoever brings an answer. */
  private volatile Phase phase = new Phase();

  Watched(Target target) {
    this.target = target;
  }

  /** Answers from one moment to another. */
  final class Phase {

    private final long beganNanos = clock.nanos();

    // Both written by whoever brings an answer, read when the phase is over.
    private final Histogram micros = new AtomicHistogram(3_600_000_000L, 3);
    private final AtomicLong degraded = new AtomicLong();

    private void note(int status, long tookNanos) {
      micros.recordValue(Math.max(0, tookNanos / 1_000));
      if (status == DEGRADED) {
        degraded.incrementAndGet();
      }
    }

    /** What it came to until now. */
    Pace pace() {
      double seconds = (clock.nanos() - beganNanos) / 1e9;
      long answers = micros.getTotalCount();
      return new Pace(
          beganNanos / 1e9,
          seconds,
          (answers - degraded.get()) / seconds,
          answers == 0 ? 0 : micros.getMean() / 1e3);
    }
  }

  /**
   * How it went for a while.
   *
   * @param beganSeconds after the beginning of the run
   * @param seconds how long
   * @param perSecond answers of the dependency, those of the fallback not among them
   * @param meanMillis of all answers
   */
  record Pace(double beganSeconds, double seconds, double perSecond, double meanMillis) {}

  /** Begins another phase. */
  Phase next() {
    Phase next = new Phase();
    phase = next;
    return next;
  }

  /** Answers of a fallback so far, in all phases. */
  long degraded() {
    return allDegraded.get();
  }

  /** Answers in each slice of the time so far, but for the one that is not over. */
  long[] slices() {
    int count = (int) Math.min(slices.length(), clock.nanos() / 1_000_000 / SLICE_MILLIS);
    long[] told = new long[count];
    for (int slice = 0; slice < count; slice++) {
      told[slice] = slices.get(slice);
    }
    return told;
  }

  @Override
  public int call() throws Exception {
    long sentNanos = clock.nanos();
    int status = target.call();
    note(status, sentNanos);
    return status;
  }

  @Override
  public CompletionStage<Integer> callAsync() {
    long sentNanos = clock.nanos();
    return target
        .callAsync()
        .thenApply(
            status -> {
              note(status, sentNanos);
              return status;
            });
  }

  private void note(int status, long sentNanos) {
    long nowNanos = clock.nanos();
    if (status == DEGRADED) {
      allDegraded.incrementAndGet();
    }
    if (status >= 200 && status < 300) {
      phase.note(status, nowNanos - sentNanos);
      slices.incrementAndGet(
          (int) Math.min(SLICES - 1, nowNanos / 1_000_000 / SLICE_MILLIS));
    }
  }

  @Override
  public void close() throws Exception {
    target.close();
  }
}
