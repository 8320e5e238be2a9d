// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of one execution at a moment. Immutable. */
public final class ExecutionResult {

  static final ExecutionResult NOTHING =
      new ExecutionResult(EventCounts.NONE, -1, null, null, null, false);

  private final EventCounts counts;
  private final int latency;
  private final @Nullable Exception exception;
  private final @Nullable Exception executionException;

  /** What its callers get instead of an answer. */
  private final @Nullable Throwable failure;

  private final boolean ended;

  ExecutionResult(
      EventCounts counts,
      int latency,
      @Nullable Exception exception,
      @Nullable Exception executionException,
      @Nullable Throwable failure,
      boolean ended) {
    this.counts = counts;
    this.latency = latency;
    this.exception = exception;
    this.executionException = executionException;
    this.failure = failure;
    this.ended = ended;
  }

  /** How often each event happened. */
  public EventCounts getEventCounts() {
    return counts;
  }

  /** In milliseconds; -1 if it is not known, or the work was not asked. */
  public int getExecutionLatency() {
    return latency;
  }

  /** What the work threw; null if it did not. */
  public @Nullable Exception getException() {
    return exception;
  }

  /** Why the work did not answer; null if it did. */
  public @Nullable Exception getExecutionException() {
    return executionException;
  }

  /** The events, each once. */
  public List<HystrixEventType> getOrderedList() {
    return new ArrayList<>(counts.events);
  }

  @Nullable Throwable failure() {
    return failure;
  }

  boolean isEnded() {
    return ended;
  }

  boolean has(HystrixEventType event) {
    return counts.contains(event);
  }

  ExecutionResult with(EventCounts changed) {
    return new ExecutionResult(changed, latency, exception, executionException, failure, ended);
  }

  /** How often each event happened. Immutable. */
  public static final class EventCounts {

    static final EventCounts NONE =
        new EventCounts(EnumSet.noneOf(HystrixEventType.class), 0, 0, 0);

    /** Not changed once it is here. */
    private final EnumSet<HystrixEventType> events;

    private final int emissions;
    private final int fallbackEmissions;
    private final int collapsed;

    EventCounts(
        EnumSet<HystrixEventType> events, int emissions, int fallbackEmissions, int collapsed) {
      this.events = events;
      this.emissions = emissions;
      this.fallbackEmissions = fallbackEmissions;
      this.collapsed = collapsed;
    }

    /** Whether it happened. */
    public boolean contains(HystrixEventType event) {
      return events.contains(event);
    }

    /** Whether any of these happened, by their ordinals. */
    public boolean containsAnyOf(BitSet ordinals) {
      return events.stream().anyMatch(event -> ordinals.get(event.ordinal()));
    }

    /** How often it happened. EXCEPTION_THROWN is the sum of those that end in an exception. */
    public int getCount(HystrixEventType event) {
      return switch (event) {
        case EMIT -> emissions;
        case FALLBACK_EMIT -> fallbackEmissions;
        case COLLAPSED -> collapsed;
        case EXCEPTION_THROWN ->
            (int)
                HystrixEventType.EXCEPTION_PRODUCING_EVENT_TYPES.stream()
                    .filter(events::contains)
                    .count();
        default -> contains(event) ? 1 : 0;
      };
    }

    EventCounts plus(HystrixEventType event) {
      EnumSet<HystrixEventType> more = events.clone();
      more.add(event);
      return new EventCounts(more, emissions, fallbackEmissions, collapsed);
    }

    Set<HystrixEventType> events() {
      return events.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof EventCounts that
          && events.equals(that.events)
          && emissions == that.emissions
          && fallbackEmissions == that.fallbackEmissions
          && collapsed == that.collapsed;
    }

    @Override
    public int hashCode() {
      return events.hashCode() * 31 + emissions;
    }

    @Override
    public String toString() {
      return events.toString();
    }
  }
}
