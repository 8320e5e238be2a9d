// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.hystrix.util;

/** What is counted in a rolling window, or whose maximum is kept. */
public enum HystrixRollingNumberEvent {
  /** Work answered. */
  SUCCESS(true),
  /** Work threw. */
  FAILURE(true),
  /** A deadline came first. */
  TIMEOUT(true),
  /** A circuit was open. */
  SHORT_CIRCUITED(true),
  /** A pool was full. */
  THREAD_POOL_REJECTED(true),
  /** A semaphore was full. */
  SEMAPHORE_REJECTED(true),
  /** Work said that the caller asked wrongly. */
  BAD_REQUEST(true),
  /** A fallback answered. */
  FALLBACK_SUCCESS(true),
  /** A fallback threw. */
  FALLBACK_FAILURE(true),
  /** No permit was left for a fallback. */
  FALLBACK_REJECTION(true),
  /** There was no fallback. */
  FALLBACK_MISSING(true),
  /** A caller got an exception. */
  EXCEPTION_THROWN(true),
  /** The most executions in flight at once. */
  COMMAND_MAX_ACTIVE(false),
  /** An item of an observable command. */
  EMIT(true),
  /** An item of an observable command's fallback. */
  FALLBACK_EMIT(true),
  /** A pool's thread took up an execution. */
  THREAD_EXECUTION(true),
  /** The most threads of a pool at work at once. */
  THREAD_MAX_ACTIVE(false),
  /** A batch answered for a call. */
  COLLAPSED(true),
  /** The request cache answered. */
  RESPONSE_FROM_CACHE(true),
  /** A call was in a collapser's batch. */
  COLLAPSER_REQUEST_BATCHED(true),
  /** A collapser's batch started. */
  COLLAPSER_BATCH(true);

  private final boolean counter;

  HystrixRollingNumberEvent(boolean counter) {
    this.counter = counter;
  }

  /** Whether it is counted. */
  public boolean isCounter() {
    return counter;
  }

  /** Whether its maximum is kept. */
  public boolean isMaxUpdater() {
    return !counter;
  }
}
