// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.torture;

import dev.tenrec.core.kit.SchedulingNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How punctual the calls were that had to be ended by their time-out, by door. A single one proves
 * nothing: the scheduler may have kept any of its threads. That most of them are late does, if that
 * is so by the clock and by what threads have done meanwhile that only sleep and wake each other.
 */
final class Lateness {

  private static final long SCHEDULING_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How often those other threads have slept and woken each other since the call was due. */
  private static final int LATE_ROUNDS = 20;

  /** So many say something. */
  private static final int SAMPLE = 20;

  private static final int MOST_LISTED = 3;

  private final SchedulingNoise noise;
  private final ConcurrentMap<String, Calls> doors = new ConcurrentHashMap<>();

  private static final class Calls {
    private final LongAdder overdue = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final Queue<String> examples = new ConcurrentLinkedQueue<>();

    boolean areLate() {
      return overdue.sum() >= SAMPLE && 2 * late.sum() > overdue.sum();
    }
  }

  Lateness(SchedulingNoise noise) {
    this.noise = noise;
  }

  /** How far those other threads have got. */
  int rounds() {
    return noise.rounds();
  }

  /**
   * A caller has its answer now.
   *
   * @param startRounds what {@link #rounds} said when it began
   * @param ownNanos for how long user code has kept its thread meanwhile
   */
  void add(String door, long startNanos, int startRounds, long allowedNanos, long ownNanos) {
    long now = System.nanoTime();
    long late = now - startNanos - allowedNanos - ownNanos;
    if (late < 0 || !noise.isWarm(startNanos)) {
      return;
    }
    Calls calls = doors.computeIfAbsent(door, name -> new Calls());
    calls.overdue.increment();
    long excused = SCHEDULING_NANOS + 3 * noise.worstNanos(startNanos, now);
    long dueRounds = (allowedNanos + ownNanos) / ChaosSubject.TIMEOUT_NANOS;
    long lateRounds = noise.rounds() - startRounds - dueRounds;
    if (late > excused && lateRounds > LATE_ROUNDS) {
      calls.late.increment();
      if (calls.examples.size() < MOST_LISTED) {
        calls.examples.add(late / 1_000_000 + " ms, excused " + excused / 1_000_000 + " ms");
      }
    }
  }

  /** The doors at which most calls were late. */
  List<String> missing() {
    List<String> missing = new ArrayList<>();
    doors.forEach(
        (door, calls) -> {
          if (calls.areLate()) {
            missing.add(door + ": " + describe(calls) + ": " + calls.examples);
          }
        });
    return missing;
  }

  private static String describe(Calls calls) {
    return calls.late + " late of " + calls.overdue + " overdue";
  }

  @Override
  public String toString() {
    Map<String, String> all = new TreeMap<>();
    doors.forEach((door, calls) -> all.put(door, describe(calls)));
    return all.toString();
  }
}
