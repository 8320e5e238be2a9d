// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.console.internal.reading;

import dev.tenrec.core.breaker.Transition;
import dev.tenrec.core.view.CommandDetails;
import dev.tenrec.metrics.event.EventCounts;
import dev.tenrec.metrics.event.EventType;
import dev.tenrec.metrics.latency.LatencySnapshot;
import dev.tenrec.metrics.view.CircuitState;
import dev.tenrec.metrics.view.CommandSnapshot;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command's row: id, circuit, trouble in per cent, calls and errors of the health window, in
 * flight, limit, still busy, p50 and p99 of its callers in microseconds, when an open circuit tries
 * again (0 if it does not), fallbacks in flight and their limit, and how often each event was
 * counted since the beginning.
 */
final class CommandFigures implements Table.Figures<CommandDetails> {

  /** Of a name in a table; its own page has more of it. */
  static final int LONGEST_NAME = 200;

  private static final EventType[] EVENTS = EventType.values();

  @Override
  public String name(int id, CommandDetails command) {
    String pool = command.threadPoolKey();
    return Json.of(
        json -> {
          json.writeStartArray();
          json.writeNumber(id);
          json.writeString(Json.cut(command.key(), LONGEST_NAME));
          json.writeString(Json.cut(command.group(), LONGEST_NAME));
          json.writeString(pool == null ? "" : Json.cut(pool, LONGEST_NAME));
          json.writeEndArray();
        });
  }

  /** A setting may give the command another pool while it runs. */
  @Override
  public @Nullable String beside(CommandDetails command) {
    return command.threadPoolKey();
  }

  @Override
  public String now(int id, CommandDetails command) {
    CommandSnapshot now = command.snapshot();
    LatencySnapshot latency = now.latencies().caller();
    Instant trial = now.circuitState() == CircuitState.OPEN ? command.nextTrialAt() : null;
    StringBuilder row = new StringBuilder(160);
    row.append('[').append(id);
    add(row, now.circuitState().ordinal());
    add(row, now.health().troublePercentage());
    add(row, now.health().total());
    add(row, now.health().errors());
    add(row, now.concurrency());
    add(row, now.concurrencyLimit());
    add(row, now.stillBusy());
    add(row, latency.valueAtPercentile(50) / 1_000);
    add(row, latency.valueAtPercentile(99) / 1_000);
    add(row, trial == null ? 0 : trial.toEpochMilli());
    add(row, now.fallbackConcurrency());
    add(row, now.fallbackConcurrencyLimit());
    events(row.append(",["), now.counts().cumulative());
    return row.append("]]").toString();
  }

  private static void add(StringBuilder row, long number) {
    row.append(',').append(number);
  }

  /** By the events' order; zeros at the end are left out. */
  private static void events(StringBuilder row, EventCounts counts) {
    int end = EVENTS.length;
    while (end > 0 && counts.get(EVENTS[end - 1]) == 0) {
      end--;
    }
    for (int i = 0; i < end; i++) {
      row.append(i == 0 ? "" : ",").append(counts.get(EVENTS[i]));
    }
  }

  /** The circuit's last transition, where it is not at rest or has come from somewhere. */
  @Override
  public @Nullable String why(int id, CommandDetails command) {
    CircuitState state = command.circuitState();
    if (state == CircuitState.FORCED_OPEN || state == CircuitState.FORCED_CLOSED) {
      return reason(id, 0, "circuitBreaker." + (forcedOpen(state) ? "forceOpen" : "forceClosed"));
    }
    List<Transition> transitions = command.transitions();
    if (state == CircuitState.DISABLED || transitions.isEmpty()) {
      return null;
    }
    Transition last = transitions.get(transitions.size() - 1);
    return reason(id, last.at().toEpochMilli(), last.explanation());
  }

  private static boolean forcedOpen(CircuitState state) {
    return state == CircuitState.FORCED_OPEN;
  }

  private static String reason(int id, long since, String words) {
    return Json.of(
        json -> {
          json.writeStartArray();
          json.writeNumber(id);
          json.writeNumber(since);
          json.writeString(Json.cut(words, Story.LONGEST_TEXT));
          json.writeEndArray();
        });
  }
}
