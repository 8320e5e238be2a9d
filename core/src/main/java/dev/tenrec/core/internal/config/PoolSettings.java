// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static dev.tenrec.core.config.PoolProperties.ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE;
import static dev.tenrec.core.config.PoolProperties.CORE_SIZE;
import static dev.tenrec.core.config.PoolProperties.KEEP_ALIVE;
import static dev.tenrec.core.config.PoolProperties.MAXIMUM_SIZE;
import static dev.tenrec.core.config.PoolProperties.MAX_QUEUE_SIZE;
import static dev.tenrec.core.config.PoolProperties.QUEUE_SIZE_REJECTION_THRESHOLD;
import static dev.tenrec.core.config.PoolProperties.ROLLING_BUCKETS;
import static dev.tenrec.core.config.PoolProperties.ROLLING_WINDOW;
import static dev.tenrec.core.internal.config.CrossRule.notLessWhen;
import static dev.tenrec.core.internal.config.CrossRule.wholeBuckets;

import dev.tenrec.core.config.PoolProperties;
import java.util.List;

/**
 * The settings of one pool at one moment.
 *
 * @param coreSize threads that are started before anything is queued, and stay
 * @param maximumSize threads in all, if it may diverge from {@code coreSize}
 * @param allowMaximumSizeToDivergeFromCoreSize whether {@code maximumSize} counts
 * @param keepAliveNanos how long a thread beyond {@code coreSize} stays idle before it ends
 * @param maxQueueSize how many executions may wait; none if 0 or less
 * @param queueSizeRejectionThreshold how many waiting executions make a pool at its maximum refuse;
 *     {@code maxQueueSize} unless set
 * @param rollingWindowNanos the rolling window of the pool's counts
 * @param rollingBuckets into how many buckets it is divided
 */
public record PoolSettings(
    int coreSize,
    int maximumSize,
    boolean allowMaximumSizeToDivergeFromCoreSize,
    long keepAliveNanos,
    int maxQueueSize,
    int queueSizeRejectionThreshold,
    long rollingWindowNanos,
    int rollingBuckets) {

  static final Scope<PoolSettings> SCOPE =
      new Scope<>(
          new PropertyTable(PoolProperties.all()),
          List.of(
              notLessWhen(ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE, MAXIMUM_SIZE, CORE_SIZE),
              wholeBuckets(ROLLING_WINDOW, ROLLING_BUCKETS)),
          PoolSettings::of);

  static PoolSettings of(Values values) {
    int maxQueueSize = values.get(MAX_QUEUE_SIZE);
    Integer threshold = values.find(QUEUE_SIZE_REJECTION_THRESHOLD);
    return new PoolSettings(
        values.get(CORE_SIZE),
        values.get(MAXIMUM_SIZE),
        values.get(ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE),
        values.nanos(KEEP_ALIVE),
        maxQueueSize,
        threshold == null ? maxQueueSize : threshold,
        values.nanos(ROLLING_WINDOW),
        values.get(ROLLING_BUCKETS));
  }

  /** How many threads the pool may have. */
  public int effectiveMaximum() {
    return allowMaximumSizeToDivergeFromCoreSize ? maximumSize : coreSize;
  }

  /** How many executions may wait. */
  public int effectiveQueue() {
    return maxQueueSize <= 0 ? 0 : Math.min(maxQueueSize, queueSizeRejectionThreshold);
  }
}
