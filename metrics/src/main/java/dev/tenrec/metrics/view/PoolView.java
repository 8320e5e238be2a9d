// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.view;

/**
 * A pool of threads, as a publisher reads it. In a live view, each method but the key reads the
 * moment of its call, and two calls are two moments. Thread-safe. A pool can be seen from when it
 * is made, whether or not it has ever finished a task.
 */
public interface PoolView {

  /** What {@link #queueCapacity()} says of a queue without bounds. */
  int UNBOUNDED = Integer.MAX_VALUE;

  /** The pool's key. */
  String key();

  /** Threads that are at work now. */
  int active();

  /** Threads there are now, at work or idle. */
  int threads();

  /** The most threads there ever were at once. */
  int largestThreads();

  /** The most threads that were at work at once in the rolling window. */
  int rollingMaxActive();

  /** Executions that wait for a thread now. */
  int queued();

  /** Threads that are started before anything is queued. */
  int coreSize();

  /**
   * Threads that there may be when the queue is full; equal to {@link #coreSize()} unless it is
   * allowed to be more.
   */
  int maximumSize();

  /**
   * How many executions may wait for a thread; 0 if none, {@link #UNBOUNDED} if there is no limit.
   */
  int queueCapacity();

  /** Executions that a thread took up in the rolling window. */
  long rollingExecuted();

  /** Executions that a thread took up since the pool was made. */
  long cumulativeExecuted();

  /**
   * Executions whose work has stopped since the pool was made; {@link #cumulativeExecuted()} less
   * those at work now.
   */
  long cumulativeCompleted();

  /** Executions that found the pool full in the rolling window. */
  long rollingRejected();

  /** Executions that found the pool full since it was made. */
  long cumulativeRejected();

  /** All of this as it is now. */
  PoolSnapshot snapshot();
}
