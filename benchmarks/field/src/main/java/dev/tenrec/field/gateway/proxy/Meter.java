// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.gateway.proxy;

import dev.tenrec.field.kit.ProcessMeter;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.view.CommandView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the gateway says of itself since it was reset: calls, the processor time of its process,
 * threads, and how its commands ended. Thread-safe; exact when nothing is in flight.
 */
final class Meter {

  private final List<CommandView> commands;
  private final AtomicLong received = new AtomicLong();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger mostInFlight = new AtomicInteger();

  private final ProcessMeter process = new ProcessMeter();

  /** Written and read under the lock. */
  private final Map<String, Long> eventsBefore = new TreeMap<>();

  Meter(List<CommandView> commands) {
    this.commands = commands;
  }

  void received() {
    received.incrementAndGet();
    mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
  }

  /** Before the answer, so that a caller that has it and calls again is not counted twice. */
  void answering() {
    inFlight.decrementAndGet();
  }

  /** Counts from 0. */
  synchronized void reset() {
    received.set(0);
    mostInFlight.set(inFlight.get());
    eventsBefore.clear();
    eventsBefore.putAll(events());
    process.reset();
  }

  synchronized GatewayCounts counts() {
    Map<String, Long> values = new TreeMap<>(process.figures().values());
    events()
        .forEach((event, count) -> values.put(event, count - eventsBefore.getOrDefault(event, 0L)));
    values.put(GatewayCounts.RECEIVED, received.get());
    values.put(GatewayCounts.MOST_IN_FLIGHT, (long) mostInFlight.get());
    return new GatewayCounts(values);
  }

  private Map<String, Long> events() {
    Map<String, Long> events = new TreeMap<>();
    for (CommandView command : commands) {
      for (EventType event : GatewayCounts.ENDINGS) {
        events.put(GatewayCounts.name(command.key(), event), command.cumulativeCount(event));
      }
    }
    return events;
  }
}
