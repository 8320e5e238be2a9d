// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static dev.tenrec.core.config.Rule.atLeast;
import static dev.tenrec.core.config.Rule.atLeastOneMilli;
import static dev.tenrec.core.config.Rule.between;
import static dev.tenrec.core.config.Rule.zeroOrMore;

import java.time.Duration;
import java.util.List;

/**
 * The properties of a pool, {@code <prefix>.threadpool.<key or default>.<name>}. Their names and
 * defaults are those of Hystrix.
 */
public final class PoolProperties {

  private static final Declarations DECLARED = new Declarations("threadpool");

  /** Threads that start before anything is queued, and stay; 10 by default. */
  public static final Property<Integer> CORE_SIZE = DECLARED.count("coreSize", 10, atLeast(1));

  /**
   * Threads in all, if {@link #ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE} is true; 10 by
   * default.
   */
  public static final Property<Integer> MAXIMUM_SIZE =
      DECLARED.count("maximumSize", 10, atLeast(1));

  /** Whether {@link #MAXIMUM_SIZE} counts; false by default. */
  public static final Property<Boolean> ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE =
      DECLARED.flag("allowMaximumSizeToDivergeFromCoreSize", false);

  /** How long a thread beyond {@link #CORE_SIZE} stays idle before it ends; 1 minute by default. */
  public static final Property<Duration> KEEP_ALIVE =
      DECLARED.minutes("keepAliveTimeMinutes", 1, zeroOrMore());

  /** How many executions may wait for a thread; none if 0 or -1, the default. */
  public static final Property<Integer> MAX_QUEUE_SIZE =
      DECLARED.count("maxQueueSize", -1, atLeast(-1));

  /**
   * How many waiting executions make a pool at its maximum reject. Unset, as by default, it follows
   * {@link #MAX_QUEUE_SIZE}.
   */
  public static final Property<Integer> QUEUE_SIZE_REJECTION_THRESHOLD =
      DECLARED.count("queueSizeRejectionThreshold", null, atLeast(0));

  /** The rolling window of the pool's counts; 10 s by default. */
  public static final Property<Duration> ROLLING_WINDOW =
      DECLARED.millis("metrics.rollingStats.timeInMilliseconds", 10_000, atLeastOneMilli());

  /** Into how many buckets {@link #ROLLING_WINDOW} is divided; 10 by default. */
  public static final Property<Integer> ROLLING_BUCKETS =
      DECLARED.count("metrics.rollingStats.numBuckets", 10, between(1, 1_000));

  private static final List<Property<?>> ALL = DECLARED.all();

  private PoolProperties() {}

  /** All properties of a pool, in the order of their {@linkplain Property#index() indices}. */
  public static List<Property<?>> all() {
    return ALL;
  }
}
