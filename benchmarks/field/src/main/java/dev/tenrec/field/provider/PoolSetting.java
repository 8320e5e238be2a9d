// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.field.provider;

import java.util.Map;

/**
 * One setting of a pool. It is fixed if core and maximum are the same, and otherwise growing: calls
 * are queued when the core is busy, more threads start when the queue is full, and calls are
 * refused when there are as many as may be.
 *
 * @param core threads that are started before anything is queued
 * @param maximum threads in all
 * @param queue calls that may wait; 0 for none
 */
public record PoolSetting(int core, int maximum, int queue) {

  /** So many threads and no more. */
  public static PoolSetting fixed(int threads, int queue) {
    return new PoolSetting(threads, threads, queue);
  }

  /** From so many threads to so many. */
  public static PoolSetting growing(int core, int maximum, int queue) {
    return new PoolSetting(core, maximum, queue);
  }

  boolean isFixed() {
    return core == maximum;
  }

  /** How many calls it holds at once. */
  int permits() {
    return maximum + queue;
  }

  /** As properties of the pool of this key. */
  Map<String, String> properties(String key) {
    String prefix = "tenrec.threadpool." + key + ".";
    return Map.of(
        prefix + "coreSize", Integer.toString(core),
        prefix + "maximumSize", Integer.toString(maximum),
        prefix + "allowMaximumSizeToDivergeFromCoreSize", Boolean.toString(!isFixed()),
        prefix + "maxQueueSize", queue == 0 ? "-1" : Integer.toString(queue),
        prefix + "queueSizeRejectionThreshold", Integer.toString(queue));
  }

  @Override
  public String toString() {
    return (isFixed() ? "fixed " + core : "growing " + core + " to " + maximum)
        + (queue == 0 ? ", no queue" : ", queue " + queue);
  }
}
