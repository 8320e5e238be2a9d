// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import dev.tenrec.hystrix.strategy.concurrency.HystrixConcurrencyStrategy;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestContext;
import dev.tenrec.hystrix.strategy.concurrency.HystrixRequestVariableDefault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of one request, in the order they began: up to 1,000, what comes after these is only
 * counted. Thread-safe.
 */
public final class HystrixRequestLog {

  private static final Logger LOG = LoggerFactory.getLogger(HystrixRequestLog.class);
  static final int MAX_STORAGE = 1_000;

  private static final HystrixRequestVariableDefault<HystrixRequestLog> OF_REQUEST =
      new HystrixRequestVariableDefault<>() {
        @Override
        public HystrixRequestLog initialValue() {
          return new HystrixRequestLog();
        }
      };

  private final Queue<HystrixInvokableInfo<?>> executions = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  HystrixRequestLog() {}

  /** The log of this thread's request; null if it is at none. */
  public static @Nullable HystrixRequestLog getCurrentRequest() {
    return HystrixRequestContext.isCurrentThreadInitialized() ? OF_REQUEST.get() : null;
  }

  /** As {@link #getCurrentRequest()}. */
  public static @Nullable HystrixRequestLog getCurrentRequest(HystrixConcurrencyStrategy strategy) {
    return getCurrentRequest();
  }

  /** The executions so far; cannot be changed. */
  public Collection<HystrixInvokableInfo<?>> getAllExecutedCommands() {
    return Collections.unmodifiableCollection(executions);
  }

  /** Those of {@link HystrixCommand}s; cannot be changed. */
  public Collection<HystrixCommand<?>> getExecutedCommands() {
    List<HystrixCommand<?>> commands = new ArrayList<>();
    for (HystrixInvokableInfo<?> execution : executions) {
      if (execution instanceof HystrixCommand<?> command) {
        commands.add(command);
      }
    }
    return Collections.unmodifiableList(commands);
  }

  void add(HystrixInvokableInfo<?> execution) {
    int before = size.getAndIncrement();
    if (before < MAX_STORAGE) {
      executions.add(execution);
    } else if (before == MAX_STORAGE) {
      LOG.warn("The log of a request is full: it keeps {} executions", MAX_STORAGE);
    }
  }

  /**
   * All of it in one line: {@code GetUser[SUCCESS][12ms], GetUser[SUCCESS,
   * RESPONSE_FROM_CACHE][0ms]x4}. Executions of one command that went alike are one word with the
   * sum of their times, where the first of them stands; {@code Executed} stands for one that still
   * runs.
   */
  public String getExecutedCommandsAsString() {
    Map<String, int[]> countsAndTimes = new LinkedHashMap<>();
    for (HystrixInvokableInfo<?> execution : executions) {
      int[] one = countsAndTimes.computeIfAbsent(wordOf(execution), first -> new int[2]);
      one[0]++;
      one[1] += Math.max(0, execution.getExecutionTimeInMilliseconds());
    }
    return countsAndTimes.entrySet().stream()
        .map(
            word ->
                word.getKey()
                    + "["
                    + word.getValue()[1]
                    + "ms]"
                    + (word.getValue()[0] > 1 ? "x" + word.getValue()[0] : ""))
        .collect(Collectors.joining(", "));
  }

  private static String wordOf(HystrixInvokableInfo<?> execution) {
    List<HystrixEventType> events = execution.getExecutionEvents();
    String key = execution.getCommandKey().name();
    return events.isEmpty()
        ? key + "[Executed]"
        : key
            + events.stream()
                .map(event -> timed(event, execution))
                .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String timed(HystrixEventType event, HystrixInvokableInfo<?> execution) {
    int count =
        switch (event) {
          case EMIT -> execution.getNumberEmissions();
          case FALLBACK_EMIT -> execution.getNumberFallbackEmissions();
          default -> 1;
        };
    return count > 1 ? event + "x" + count : event.name();
  }
}
