// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static dev.tenrec.core.config.CrossRule.notLessWhen;
import static dev.tenrec.core.config.CrossRule.wholeBuckets;
import static dev.tenrec.core.config.Rule.atLeast;
import static dev.tenrec.core.config.Rule.atLeastOneMilli;
import static dev.tenrec.core.config.Rule.between;
import static dev.tenrec.core.config.Rule.zeroOrMore;

import java.time.Duration;
import java.util.List;

/**
 * The properties of a pool, {@code <prefix>.threadpool.<key or default>.<name>}. What they mean is
 * explained at {@link PoolSettings}.
 */
public final class PoolProperties {

  private static final PropertyTable.Builder ALL = PropertyTable.of("threadpool");

  public static final Property<Integer> CORE_SIZE = ALL.count("coreSize", 10, atLeast(1));
  public static final Property<Integer> MAXIMUM_SIZE = ALL.count("maximumSize", 10, atLeast(1));
  public static final Property<Boolean> ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE =
      ALL.flag("allowMaximumSizeToDivergeFromCoreSize", false);
  public static final Property<Duration> KEEP_ALIVE =
      ALL.minutes("keepAliveTimeMinutes", 1, zeroOrMore());
  public static final Property<Integer> MAX_QUEUE_SIZE = ALL.count("maxQueueSize", -1, atLeast(-1));

  /** Unset, it follows {@link #MAX_QUEUE_SIZE}. */
  public static final Property<Integer> QUEUE_SIZE_REJECTION_THRESHOLD =
      ALL.count("queueSizeRejectionThreshold", null, atLeast(0));

  public static final Property<Duration> ROLLING_WINDOW =
      ALL.millis("metrics.rollingStats.timeInMilliseconds", 10_000, atLeastOneMilli());
  public static final Property<Integer> ROLLING_BUCKETS =
      ALL.count("metrics.rollingStats.numBuckets", 10, between(1, 1_000));

  static final Scope<PoolSettings> SCOPE =
      new Scope<>(
          ALL.build(),
          List.of(
              notLessWhen(ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE, MAXIMUM_SIZE, CORE_SIZE),
              wholeBuckets(ROLLING_WINDOW, ROLLING_BUCKETS)),
          PoolSettings::of);

  private PoolProperties() {}
}
