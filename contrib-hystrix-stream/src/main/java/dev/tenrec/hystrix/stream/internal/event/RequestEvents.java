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
 * answers of the request cache as a number beside the call they repeat.
 */
public final class RequestEvents {

  private static final int HIT = 1 << EventType.RESPONSE_FROM_CACHE.ordinal();

  private RequestEvents() {}

  /** What makes calls equal. */
  private record Way(String key, int eventBits, long items, long fallbackItems) {

    static Way of(Entry entry) {
      return new Way(
          entry.commandKey(), entry.eventBits() & ~HIT, entry.items(), entry.fallbackItems());
    }
  }

  private static final class EqualCalls {
    private final Entry first;
    private final List<Long> latencyMillis = new ArrayList<>();
    private int hits;

    EqualCalls(Entry first) {
      this.first = first;
    }
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
      EqualCalls equal = calls.computeIfAbsent(Way.of(entry), way -> new EqualCalls(entry));
      if ((entry.eventBits() & HIT) != 0) {
        equal.hits++;
      } else {
        equal.latencyMillis.add(entry.latencyNanos() / 1_000_000);
      }
    }
    json.writeStartArray();
    for (EqualCalls equal : calls.values()) {
      call(json, equal);
    }
    json.writeEndArray();
  }

  private static void call(JsonGenerator json, EqualCalls equal) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", CleanName.of(equal.first.commandKey()));
    json.writeArrayFieldStart("events");
    for (EventType event : equal.first.events()) {
      switch (event) {
        case RESPONSE_FROM_CACHE, COLLAPSED -> {} // the first is a number below
        case EMIT -> times(json, event, equal.first.items());
        case FALLBACK_EMIT -> times(json, event, equal.first.fallbackItems());
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
