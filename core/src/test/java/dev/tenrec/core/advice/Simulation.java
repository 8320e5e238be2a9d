// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.advice;

import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.internal.slots.LatencySlots;
import dev.tenrec.metrics.latency.LatencyTotals;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * A command in front of its dependency, played event by event: what an {@link Adviser} would see of
 * it, and what its advice would do. It draws its own arrivals and works, of any kind, and shares
 * nothing with {@link Replay}, which has only what was recorded. In seconds.
 */
final class Simulation {

  private enum Kind {
    END_OF_WORK,
    DEADLINE,
    ARRIVAL
  }

  private record Event(double at, Kind kind, Call call) {}

  private static final class Call {
    final double arrived;
    double begun = -1;
    boolean isOver;

    Call(double arrived) {
      this.arrived = arrived;
    }
  }

  private final Limits limits;
  private final DoubleSupplier work;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparing(Event::kind));
  private final Deque<Call> waiting = new ArrayDeque<>();
  private final Set<Call> working = new HashSet<>();
  private final long[] slots = new long[LatencySlots.COUNT];
  private final Map<EventType, Long> counts = new EnumMap<>(EventType.class);
  private int threads;
  private int most;
  private double last;

  private Simulation(Limits limits, DoubleSupplier work) {
    this.limits = limits;
    this.work = work;
    this.threads = limits.core();
  }

  /**
   * Plays it.
   *
   * @param gaps from one call to the next; 0 for calls that come together
   * @param work how long the dependency takes for one
   */
  static Simulation of(int calls, DoubleSupplier gaps, DoubleSupplier work, Limits limits) {
    Simulation simulation = new Simulation(limits, work);
    double at = 0;
    for (int i = 0; i < calls; i++) {
      at += gaps.getAsDouble();
      simulation.events.add(new Event(at, Kind.ARRIVAL, new Call(at)));
    }
    simulation.last = at;
    while (!simulation.events.isEmpty()) {
      simulation.play(simulation.events.remove());
    }
    return simulation;
  }

  private void play(Event event) {
    Call call = event.call;
    switch (event.kind) {
      case ARRIVAL -> arrive(call);
      case DEADLINE -> {
        if (!call.isOver) {
          call.isOver = true;
          count(EventType.TIMEOUT);
          if (call.begun >= 0) { // its thread works on
            record(event.at - call.begun);
          }
        }
      }
      case END_OF_WORK -> {
        working.remove(call);
        if (!call.isOver) {
          call.isOver = true;
          count(EventType.SUCCESS);
          record(event.at - call.begun);
        }
        next(event.at);
      }
    }
  }

  private void arrive(Call call) {
    if (working.size() < threads) {
      admit(call);
      begin(call, call.arrived);
    } else if (waiting.size() < limits.queue()) {
      admit(call);
      waiting.add(call);
    } else if (threads < limits.maximum()) {
      threads++;
      admit(call);
      waiting.add(call);
      next(call.arrived);
    } else {
      count(EventType.THREAD_POOL_REJECTED);
    }
    most = Math.max(most, working.size() + waiting.size());
  }

  private void admit(Call call) {
    if (limits.timeout() != null) {
      events.add(new Event(call.arrived + seconds(limits.timeout()), Kind.DEADLINE, call));
    }
  }

  private void next(double now) {
    Call call = waiting.poll();
    while (call != null && call.isOver) {
      call = waiting.poll();
    }
    if (call != null) {
      begin(call, now);
    }
  }

  private void begin(Call call, double now) {
    call.begun = now;
    working.add(call);
    events.add(new Event(now + work.getAsDouble(), Kind.END_OF_WORK, call));
  }

  private void count(EventType event) {
    counts.merge(event, 1L, Long::sum);
  }

  private void record(double seconds) {
    slots[LatencySlots.indexOf((long) (seconds * 1e9))]++;
  }

  static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  private long counted(EventType event) {
    return counts.getOrDefault(event, 0L);
  }

  private double share(EventType event) {
    return counted(event) / (double) counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What calls had of it. */
  Risk risk() {
    return new Risk(share(EventType.TIMEOUT), share(EventType.THREAD_POOL_REJECTED));
  }

  /** The most calls that were in flight at once. */
  int most() {
    return most;
  }

  LatencyTotals latencies() {
    return LatencyTotals.of(slots.clone());
  }

  double perSecond() {
    return counts.values().stream().mapToLong(Long::longValue).sum() / last;
  }

  /** What is seen of it, as of a command on a pool. */
  Observation seen(Limits present) {
    return new Observation(
        "Quote",
        "Quotes",
        null,
        null,
        Duration.ofNanos((long) (last * 1e9)),
        EventCounts.of(this::counted),
        latencies(),
        most,
        0,
        0,
        present,
        present.timeout() == null ? Duration.ofSeconds(1) : present.timeout(),
        1_000,
        50,
        20,
        Duration.ofSeconds(10));
  }
}
