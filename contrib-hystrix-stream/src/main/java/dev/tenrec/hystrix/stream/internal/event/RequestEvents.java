// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.stream.internal.event;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tenrec.core.context.RequestLog;
import dev.tenrec.core.context.RequestLog.Entry;
import dev.tenrec.metrics.event.EventType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An event of each finished request: its calls, equal ones as one with all their latencies, and
 * answers of the request cache as a number beside the call they repeat. Events are those of
 * Hystrix, for readers that know no others; what it does not have is left out, or is the event that
 * is nearest.
 */
public final class RequestEvents {

  private static final int HIT = bits(EventType.RESPONSE_FROM_CACHE);

  /** Tenrec's own, and the last, which Hystrix has in no list of a call's. */
  private static final int LEFT_OUT =
      bits(
          EventType.RETRY,
          EventType.RETRY_BUDGET_EXHAUSTED,
          EventType.HEDGE,
          EventType.HEDGE_REFUSED,
          EventType.ATTEMPT_OUTRUN,
          EventType.FALLBACK_DISABLED,
          EventType.EXCEPTION_THROWN);

  private RequestEvents() {}

  private static int bits(EventType... events) {
    int bits = 0;
    for (EventType event : events) {
      bits |= 1 << event.ordinal();
    }
    return bits;
  }

  /** What Hystrix would have said. */
  private static int inHystrix(int eventBits) {
    int bits = as(EventType.TIMEOUT, EventType.DEADLINE_EXCEEDED, eventBits);
    return as(EventType.SEMAPHORE_REJECTED, EventType.RATE_LIMITED, bits) & ~LEFT_OUT;
  }

  private static int as(EventType known, EventType own, int eventBits) {
    return (eventBits & bits(own)) == 0 ? eventBits : eventBits & ~bits(own) | bits(known);
  }

  /** What makes calls equal. */
  private record Way(String key, int eventBits, long items, long fallbackItems) {

    static Way of(Entry entry) {
      return new Way(
          entry.commandKey(),
          inHystrix(entry.eventBits()) & ~HIT,
          entry.items(),
          entry.fallbackItems());
    }
  }

  private static final class EqualCalls {
    private final List<Long> latencyMillis = new ArrayList<>();
    private int hits;
  }

  /** As bytes of the wire; empty if there are none. */
  public static byte[] of(List<RequestLog> requests) {
    EventWriter events = new EventWriter();
    requests.forEach(request -> events.event(json -> request(json, request)));
    return events.bytes();
  }

  private static void request(JsonGenerator json, RequestLog log) throws IOException {
    Map<Way, EqualCalls> calls = new LinkedHashMap<>();
    for (Entry entry : log.entries()) {
      EqualCalls equal = calls.computeIfAbsent(Way.of(entry), way -> new EqualCalls());
      if ((entry.eventBits() & HIT) != 0) {
        equal.hits++;
      } else {
        equal.latencyMillis.add(entry.latencyNanos() / 1_000_000);
      }
    }
    json.writeStartArray();
    for (Map.Entry<Way, EqualCalls> each : calls.entrySet()) {
      call(json, each.getKey(), each.getValue());
    }
    json.writeEndArray();
  }

  private static void call(JsonGenerator json, Way way, EqualCalls equal) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", CleanName.of(way.key()));
    json.writeArrayFieldStart("events");
    for (EventType event : new Entry(way.key(), way.eventBits(), 0).events()) {
      switch (event) {
        case COLLAPSED -> {}
        case EMIT -> times(json, event, way.items());
        case FALLBACK_EMIT -> times(json, event, way.fallbackItems());
        default -> json.writeString(event.name());
      }
    }
    json.writeEndArray();
    json.writeArrayFieldStart("latencies");
    for (long millis : equal.latencyMillis) {
      json.writeNumber(millis);
    }
    json.writeEndArray();
    if (equal.hits > 0) {
      json.writeNumberField("cached", equal.hits);
    }
    json.writeEndObject();
  }

  private static void times(JsonGenerator json, EventType event, long count) throws IOException {
    if (count > 1) {
      json.writeStartObject();
      json.writeStringField("name", event.name());
      json.writeNumberField("count", count);
      json.writeEndObject();
    } else {
      json.writeString(event.name());
    }
  }
}
