// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked of one execution: while it runs, and after it.
 *
 * @param <R> what it answers
 */
public interface HystrixInvokableInfo<R extends @Nullable Object> {

  /** The group it belongs to. */
  HystrixCommandGroupKey getCommandGroup();

  /** The command it is an execution of. */
  HystrixCommandKey getCommandKey();

  /** The pool its work runs on, if it runs on one: as the first instance of its key says. */
  HystrixThreadPoolKey getThreadPoolKey();

  /** Its key in the request cache; null if it shares nothing. */
  @Nullable String getPublicCacheKey();

  /** The collapser whose batch it is; null if it is none's. */
  @Nullable HystrixCollapserKey getOriginatingCollapserKey();

  /** The counts and latencies of its command. */
  HystrixCommandMetrics getMetrics();

  /** The settings of its command that are in force. */
  HystrixCommandProperties getProperties();

  /** Whether the circuit of its command refuses calls now. */
  boolean isCircuitBreakerOpen();

  /** Whether it has its ending, and was not cancelled. */
  boolean isExecutionComplete();

  /** Whether its work has begun on a thread of a pool. */
  boolean isExecutedInThread();

  /** Whether its work answered. */
  boolean isSuccessfulExecution();

  /** Whether its work threw, or its stream ended in an error. */
  boolean isFailedExecution();

  /** What its work threw; null if it did not. */
  @Nullable Throwable getFailedExecutionException();

  /** Whether the fallback answered. */
  boolean isResponseFromFallback();

  /** Whether it timed out. */
  boolean isResponseTimedOut();

  /** Whether an open circuit refused it. */
  boolean isResponseShortCircuited();

  /** Whether another execution of its request answered. */
  boolean isResponseFromCache();

  /** Whether a full pool or semaphore refused it. */
  boolean isResponseRejected();

  /** Whether a full semaphore refused it. */
  boolean isResponseSemaphoreRejected();

  /** Whether a full pool refused it. */
  boolean isResponseThreadPoolRejected();

  /** What happened, each event once, in the order of {@link HystrixEventType}. */
  List<HystrixEventType> getExecutionEvents();

  /** How many items an observable command's work brought. */
  int getNumberEmissions();

  /** How many items an observable command's fallback brought. */
  int getNumberFallbackEmissions();

  /** How many calls a batch answered for; 0 if it is none. */
  int getNumberCollapsed();

  /**
   * From its beginning at the caller to its answer, a fallback included; -1 before that, and if its
   * work was not asked.
   */
  int getExecutionTimeInMilliseconds();

  /**
   * When it began, in nanoseconds by {@link System#nanoTime}; -1 if it did not, or the circuit or
   * the semaphore refused it.
   */
  long getCommandRunStartTimeInNanos();

  /** How often each event happened. */
  ExecutionResult.EventCounts getEventCounts();
}
