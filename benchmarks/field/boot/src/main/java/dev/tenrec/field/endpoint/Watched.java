// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.endpoint;

import dev.tenrec.field.kit.RunClock;
import dev.tenrec.field.load.engine.Target;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

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

  /** Written by the threads that bring answers, read when the run is over. */
  private final AtomicLong allDegraded = new AtomicLong();

  /** Written by the one who begins phases, read by the threads that bring answers. */
  private volatile Phase phase = new Phase();

  Watched(Target target) {
    this.target = target;
  }

  /** Answers from one moment to another. */
  final class Phase {

    private final long beganNanos = clock.nanos();

    // Written by the threads that bring answers, read while others do.
    private final LongAdder answers = new LongAdder();
    private final LongAdder degraded = new LongAdder();
    private final LongAdder tookNanos = new LongAdder();

    private void note(int status, long nanos) {
      answers.increment();
      tookNanos.add(nanos);
      if (status == DEGRADED) {
        degraded.increment();
      }
    }

    /** What it came to until now. */
    Pace pace() {
      double seconds = (clock.nanos() - beganNanos) / 1e9;
      long count = answers.sum();
      return new Pace(
          beganNanos / 1e9,
          seconds,
          (count - degraded.sum()) / seconds,
          count == 0 ? 0 : tookNanos.sum() / 1e6 / count);
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
  List<Long> slices() {
    long count = Math.min(slices.length(), clock.nanos() / 1_000_000 / SLICE_MILLIS);
    return IntStream.range(0, (int) count).mapToObj(slices::get).toList();
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
      slices.incrementAndGet((int) Math.min(SLICES - 1, nowNanos / 1_000_000 / SLICE_MILLIS));
    }
  }

  @Override
  public void close() throws Exception {
    target.close();
  }
}
