// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import dev.tenrec.metrics.latency.LatencyTotals;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Plays a recorded distribution of latencies against limits: calls arrive at random, alone or in
 * groups, as a Poisson process, and each takes a latency drawn from the distribution. Work whose
 * call has timed out keeps its thread until its own end, which is the worse case: interrupts may
 * free it earlier. A pool is played as Tenrec's is: core threads first, then the queue, then
 * further threads, of which the longest waiting call gets the first; none of them ends.
 *
 * <p>The random numbers are the same each time, so that equal figures get equal advice.
 */
final class Replay {

  private static final int CALLS = 60_000;
  private static final int WARM_UP = 6_000;
  private static final long SEED = 0x7e43ecL;
  private static final double SECOND_NANOS = 1e9;

  /** A call that waits for a thread. The first ones are not measured: the pool was empty. */
  private record Waiting(double arrived, boolean measured) {}

  private final Limits limits;
  private final double[] upTo;
  private final long[] from;
  private final long[] width;
  private final SplittableRandom random = new SplittableRandom(SEED);

  /** When each thread at work ends what it does. */
  private final PriorityQueue<Double> ends = new PriorityQueue<>();

  private final ArrayDeque<Waiting> queue = new ArrayDeque<>();

  private int threads;
  private int measured;
  private int timedOut;
  private int refused;
  private int most;

  private Replay(LatencyTotals latencies, Limits limits) {
    this.limits = limits;
    this.threads = limits.core();
    int[] slots = {0};
    latencies.forEachSlot((low, high, count) -> slots[0]++);
    this.upTo = new double[slots[0]];
    this.from = new long[slots[0]];
    this.width = new long[slots[0]];
    int[] slot = {0};
    double[] seen = {0};
    latencies.forEachSlot(
        (low, high, count) -> {
          seen[0] += count;
          upTo[slot[0]] = seen[0] / latencies.count();
          from[slot[0]] = low;
          width[slot[0]] = high - low;
          slot[0]++;
        });
  }

  /**
   * Plays it with calls that arrive one by one.
   *
   * @param latencies at least one
   * @param perSecond arrivals, above 0
   */
  static Risk of(LatencyTotals latencies, double perSecond, Limits limits) {
    return play(latencies, perSecond, 1, limits).risk();
  }

  /**
   * Plays it.
   *
   * @param latencies at least one
   * @param perSecond arrivals of calls, above 0
   * @param group how many of them come at once, at least 1
   */
  static Replay play(LatencyTotals latencies, double perSecond, int group, Limits limits) {
    Replay replay = new Replay(latencies, limits);
    double now = 0;
    for (int call = 0; call < CALLS; call++) {
      if (call % group == 0) {
        now += -Math.log(1 - replay.random.nextDouble()) * SECOND_NANOS * group / perSecond;
        replay.runUntil(now);
      }
      boolean measures = call >= WARM_UP;
      replay.measured += measures ? 1 : 0;
      replay.arrive(new Waiting(now, measures));
    }
    replay.runUntil(Double.MAX_VALUE);
    return replay;
  }

  /** Which calls would not have got their work's answer. */
  Risk risk() {
    return new Risk(timedOut / (double) measured, refused / (double) measured);
  }

  /** The most calls that were at work or waited at one moment. */
  int most() {
    return most;
  }

  /** Has the threads end what they end by then, and take up what waits. */
  private void runUntil(double now) {
    while (!ends.isEmpty() && ends.peek() <= now) {
      takeUp(ends.remove());
    }
  }

  private void arrive(Waiting call) {
    boolean hasRoom = ends.size() < threads || queue.size() < limits.queue();
    if (!hasRoom && threads == limits.maximum()) {
      refused += call.measured ? 1 : 0;
      return;
    }
    threads += hasRoom ? 0 : 1;
    queue.add(call);
    takeUp(call.arrived);
    most = Math.max(most, ends.size() + queue.size());
  }

  /** Gives free threads to the calls that have waited longest. */
  private void takeUp(double now) {
    while (!queue.isEmpty() && ends.size() < threads) {
      Waiting call = queue.remove();
      double waited = now - call.arrived;
      if (waited < limits.timeoutNanos()) {
        double latency = latency();
        ends.add(now + latency);
        timedOut += call.measured && waited + latency > limits.timeoutNanos() ? 1 : 0;
      } else {
        timedOut += call.measured ? 1 : 0; // its work never begins
      }
    }
  }

  private double latency() {
    double share = random.nextDouble();
    int low = 0;
    int high = upTo.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (upTo[middle] > share) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return from[low] + random.nextDouble() * width[low];
  }
}
