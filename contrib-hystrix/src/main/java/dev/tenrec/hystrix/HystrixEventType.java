// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.util.HystrixRollingNumberEvent;
import dev.tenrec.metrics.event.EventType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can happen to an execution. The order is the one events are reported in. */
public enum HystrixEventType {
  /** An item of an observable command. */
  EMIT(EventType.EMIT, false),
  /** The work answered. */
  SUCCESS(EventType.SUCCESS, true),
  /** The work threw. */
  FAILURE(EventType.FAILURE, false),
  /** The deadline came first. */
  TIMEOUT(EventType.TIMEOUT, false),
  /** The work threw a {@link dev.tenrec.hystrix.exception.HystrixBadRequestException}. */
  BAD_REQUEST(EventType.BAD_REQUEST, true),
  /** The circuit was open. */
  SHORT_CIRCUITED(EventType.SHORT_CIRCUITED, false),
  /** The pool was full. */
  THREAD_POOL_REJECTED(EventType.THREAD_POOL_REJECTED, false),
  /** The semaphore was full. */
  SEMAPHORE_REJECTED(EventType.SEMAPHORE_REJECTED, false),
  /** An item of an observable command's fallback. */
  FALLBACK_EMIT(EventType.FALLBACK_EMIT, false),
  /** The fallback answered. */
  FALLBACK_SUCCESS(EventType.FALLBACK_SUCCESS, true),
  /** The fallback threw. */
  FALLBACK_FAILURE(EventType.FALLBACK_FAILURE, true),
  /** No permit was left for the fallback. */
  FALLBACK_REJECTION(EventType.FALLBACK_REJECTION, true),
  /** There is no fallback. */
  FALLBACK_MISSING(EventType.FALLBACK_MISSING, true),
  /** One of {@link #EXCEPTION_PRODUCING_EVENT_TYPES} happened. In no execution's list. */
  EXCEPTION_THROWN(EventType.EXCEPTION_THROWN, false),
  /** Another execution of the request answered. */
  RESPONSE_FROM_CACHE(EventType.RESPONSE_FROM_CACHE, true),
  /** The caller gave up. */
  CANCELLED(EventType.CANCELLED, true),
  /** It answered for the members of a batch. */
  COLLAPSED(EventType.COLLAPSED, false),
  /** A gauge, which no execution has. */
  COMMAND_MAX_ACTIVE(null, false);

  /** Those that end in an exception for the caller. */
  public static final List<HystrixEventType> EXCEPTION_PRODUCING_EVENT_TYPES =
      List.of(BAD_REQUEST, FALLBACK_FAILURE, FALLBACK_MISSING, FALLBACK_REJECTION);

  /** Those after which nothing follows. */
  public static final List<HystrixEventType> TERMINAL_EVENT_TYPES =
      List.of(
          SUCCESS,
          BAD_REQUEST,
          FALLBACK_SUCCESS,
          FALLBACK_FAILURE,
          FALLBACK_REJECTION,
          FALLBACK_MISSING,
          RESPONSE_FROM_CACHE,
          CANCELLED);

  private static final @Nullable HystrixEventType[] BY_ORDINAL =
      new HystrixEventType[EventType.COUNT];

  static {
    for (HystrixEventType type : values()) {
      if (type.counted != null) {
        BY_ORDINAL[type.counted.ordinal()] = type;
      }
    }
    // Hystrix limits no rate: such a call found no permit
    BY_ORDINAL[EventType.RATE_LIMITED.ordinal()] = SEMAPHORE_REJECTED;
    // and its calls have no deadline but their own
    BY_ORDINAL[EventType.DEADLINE_EXCEEDED.ordinal()] = TIMEOUT;
  }

  private final @Nullable EventType counted;
  private final boolean terminal;

  HystrixEventType(@Nullable EventType counted, boolean terminal) {
    this.counted = counted;
    this.terminal = terminal;
  }

  /** Whether nothing follows it. */
  public boolean isTerminal() {
    return terminal;
  }

  /**
   * The event of this counter.
   *
   * @throws IllegalArgumentException if it counts nothing of a command's
   */
  public static HystrixEventType from(HystrixRollingNumberEvent event) {
    return valueOf(event.name());
  }

  /** What the engine counts it as; null for what it does not count. */
  @Nullable EventType counted() {
    return counted;
  }

  /** Null for what Hystrix does not have. */
  static @Nullable HystrixEventType of(EventType counted) {
    return BY_ORDINAL[counted.ordinal()];
  }

  /** What can happen in a thread pool. */
  public enum ThreadPool {
    /** A thread took up an execution. */
    EXECUTED,
    /** An execution found it full. */
    REJECTED;

    /**
     * The event of this counter; null if it is none of a pool's.
     *
     * @param event which
     */
    public static @Nullable ThreadPool from(HystrixRollingNumberEvent event) {
      return switch (event) {
        case THREAD_EXECUTION -> EXECUTED;
        case THREAD_POOL_REJECTED -> REJECTED;
        default -> null;
      };
    }

    /**
     * What an event of a command says of its pool; null if it says nothing.
     *
     * @param event which
     */
    public static @Nullable ThreadPool from(HystrixEventType event) {
      return switch (event) {
        case SUCCESS, FAILURE, TIMEOUT, BAD_REQUEST -> EXECUTED;
        case THREAD_POOL_REJECTED -> REJECTED;
        default -> null;
      };
    }
  }

  /** What can happen to a collapser. */
  public enum Collapser {
    /** A batch started. */
    BATCH_EXECUTED,
    /** A call was in a batch. */
    ADDED_TO_BATCH,
    /** The request cache answered a call. */
    RESPONSE_FROM_CACHE;

    /**
     * The event of this counter.
     *
     * @throws IllegalArgumentException if it counts nothing of a collapser's
     */
    public static Collapser from(HystrixRollingNumberEvent event) {
      return switch (event) {
        case COLLAPSER_BATCH -> BATCH_EXECUTED;
        case COLLAPSER_REQUEST_BATCHED -> ADDED_TO_BATCH;
        case RESPONSE_FROM_CACHE -> RESPONSE_FROM_CACHE;
        default -> throw new IllegalArgumentException("a collapser does not count " + event);
      };
    }
  }
}
