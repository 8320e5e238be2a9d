// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.metrics.view;

/**
 * A {@link PoolView} that has stopped: everything is of the moment it was made. The gauges of its
 * threads are of one instant; the counts were read right after them.
 *
 * @param key see {@link PoolView#key()}, and so for each
 * @param active threads at work
 * @param threads threads there were
 * @param largestThreads the most there ever were
 * @param rollingMaxActive the most at work in the rolling window
 * @param queued executions that waited
 * @param coreSize threads started before anything is queued
 * @param maximumSize threads there may be when the queue is full
 * @param queueCapacity how many may wait
 * @param rollingExecuted executions taken up in the rolling window
 * @param cumulativeExecuted executions taken up since the pool was made
 * @param cumulativeCompleted executions whose work has stopped
 * @param rollingRejected executions that found it full in the rolling window
 * @param cumulativeRejected executions that found it full
 */
public record PoolSnapshot(
    String key,
    int active,
    int threads,
    int largestThreads,
    int rollingMaxActive,
    int queued,
    int coreSize,
    int maximumSize,
    int queueCapacity,
    long rollingExecuted,
    long cumulativeExecuted,
    long cumulativeCompleted,
    long rollingRejected,
    long cumulativeRejected)
    implements PoolView {

  /** This snapshot. */
  @Override
  public PoolSnapshot snapshot() {
    return this;
  }
}
