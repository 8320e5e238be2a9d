// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.event;

import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.ToLongFunction;

/** How often each event was counted; immutable. Equal to another object with equal counts. */
public final class EventCounts {

  /** Nothing has been counted. */
  public static final EventCounts NONE = new EventCounts(new long[EventType.COUNT]);

  /** By the types' ordinals; never changed. */
  private final long[] counts;

  private EventCounts(long[] counts) {
    this.counts = counts;
  }

  /** The counts that {@code count} returns; it is asked once for each type, in their order. */
  public static EventCounts of(ToLongFunction<EventType> count) {
    long[] counts = new long[EventType.COUNT];
    for (EventType type : EventType.values()) {
      counts[type.ordinal()] = count.applyAsLong(type);
    }
    return new EventCounts(counts);
  }

  /** How often this event was counted. */
  public long get(EventType event) {
    return counts[event.ordinal()];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EventCounts that && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  /** Those that are not zero, in the types' order: {@code {SUCCESS=3, TIMEOUT=1}}. */
  @Override
  public String toString() {
    StringJoiner text = new StringJoiner(", ", "{", "}");
    for (EventType type : EventType.values()) {
      if (get(type) != 0) {
        text.add(type + "=" + get(type));
      }
    }
    return text.toString();
  }
}
