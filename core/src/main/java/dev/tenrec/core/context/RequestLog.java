// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.context;

import dev.tenrec.metrics.event.EventType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the commands of one request did, in the order they were answered. Immutable.
 *
 * @param entries one for each answered call whose {@code requestLog.enabled} was true
 * @param dropped how many calls were answered when there was no room for more
 */
public record RequestLog(List<Entry> entries, long dropped) {

  /** Copies the list. */
  public RequestLog {
    entries = List.copyOf(entries);
  }

  /**
   * One answered call.
   *
   * @param commandKey which command
   * @param eventBits bit n is the event of ordinal n
   * @param latencyNanos how long its caller waited; for a stream, until its end
   * @param items how many items the source of a stream brought
   * @param fallbackItems how many items the fallback of a stream brought
   */
  public record Entry(
      String commandKey, int eventBits, long latencyNanos, long items, long fallbackItems) {

    /** One that is no stream's. */
    public Entry(String commandKey, int eventBits, long latencyNanos) {
      this(commandKey, eventBits, latencyNanos, 0, 0);
    }

    /** What happened, in the order of {@link EventType}. */
    public List<EventType> events() {
      return Stream.of(EventType.values())
          .filter(event -> (eventBits >>> event.ordinal() & 1) != 0)
          .toList();
    }

    /** The events as one reads them: {@code [EMITx3, SUCCESS]}. */
    private List<String> words() {
      return events().stream()
          .map(
              event ->
                  switch (event) {
                    case EMIT -> times(event, items);
                    case FALLBACK_EMIT -> times(event, fallbackItems);
                    default -> event.name();
                  })
          .toList();
    }

    private static String times(EventType event, long count) {
      return count > 1 ? event + "x" + count : event.name();
    }

    /** How long its caller waited; zero for a cached answer that was there already. */
    public Duration latency() {
      return Duration.ofNanos(latencyNanos);
    }
  }

  /** Calls of one command that went alike, and how long they took together. */
  private static final class EqualCalls {
    private final Entry first;
    private int count;
    private long nanos;

    EqualCalls(Entry first) {
      this.first = first;
    }

    void add(Entry entry) {
      count++;
      nanos += entry.latencyNanos();
    }

    @Override
    public String toString() {
      return first.commandKey()
          + first.words()
          + "["
          + nanos / 1_000_000
          + "ms]"
          + (count > 1 ? "x" + count : "");
    }
  }

  /** What makes two entries alike. */
  private record Way(String commandKey, int eventBits, long items, long fallbackItems) {

    static Way of(Entry entry) {
      return new Way(entry.commandKey(), entry.eventBits(), entry.items(), entry.fallbackItems());
    }
  }

  /**
   * All of it in one line: {@code GetUser[SUCCESS][12ms], GetUser[SUCCESS,
   * RESPONSE_FROM_CACHE][0ms]x4}. Calls of one command that went alike are one word with the sum of
   * their latencies, where the first of them stands. Items of a stream are counted: {@code
   * Ticks[EMITx3, SUCCESS][12ms]}.
   */
  @Override
  public String toString() {
    Map<Way, EqualCalls> words = new LinkedHashMap<>();
    for (Entry entry : entries) {
      words.computeIfAbsent(Way.of(entry), way -> new EqualCalls(entry)).add(entry);
    }
    String text =
        words.values().stream().map(EqualCalls::toString).collect(Collectors.joining(", "));
    return dropped == 0 ? text : text + " and " + dropped + " more";
  }
}
