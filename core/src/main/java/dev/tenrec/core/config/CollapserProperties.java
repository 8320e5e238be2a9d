// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static dev.tenrec.core.config.Rule.atLeast;
import static dev.tenrec.core.config.Rule.atLeastOneMilli;
import static dev.tenrec.core.config.Rule.between;
import static dev.tenrec.core.config.Rule.positiveTime;

import java.time.Duration;
import java.util.List;

/**
 * The properties of a collapser, {@code <prefix>.collapser.<key or default>.<name>}. Their names
 * and defaults are those of Hystrix. Those of its batch command are in {@link CommandProperties},
 * under its batch key, which is the collapser's key unless the builder says another.
 */
public final class CollapserProperties {

  private static final Declarations DECLARED = new Declarations("collapser");

  /** How many different arguments start a batch before its time; no bound by default. */
  public static final Property<Integer> MAX_REQUESTS_IN_BATCH =
      DECLARED.count("maxRequestsInBatch", Integer.MAX_VALUE, atLeast(1));

  /** From a batch's first member to its start; 10 ms by default. */
  public static final Property<Duration> TIMER_DELAY =
      DECLARED.millis("timerDelayInMilliseconds", 10, positiveTime());

  /** Whether the request cache is used; true by default. */
  public static final Property<Boolean> REQUEST_CACHE_ENABLED =
      DECLARED.flag("requestCache.enabled", true);

  /** The rolling window of the counts; 10 s by default. */
  public static final Property<Duration> ROLLING_WINDOW =
      DECLARED.millis("metrics.rollingStats.timeInMilliseconds", 10_000, atLeastOneMilli());

  /** Into how many buckets {@link #ROLLING_WINDOW} is divided; 10 by default. */
  public static final Property<Integer> ROLLING_BUCKETS =
      DECLARED.count("metrics.rollingStats.numBuckets", 10, between(1, 1_000));

  /** Whether the distribution of batch sizes is kept; true by default. */
  public static final Property<Boolean> PERCENTILE_ENABLED =
      DECLARED.flag("metrics.rollingPercentile.enabled", true);

  /** The rolling window of the batch sizes; 60 s by default. */
  public static final Property<Duration> PERCENTILE_WINDOW =
      DECLARED.millis("metrics.rollingPercentile.timeInMilliseconds", 60_000, atLeastOneMilli());

  /** Into how many buckets {@link #PERCENTILE_WINDOW} is divided; 6 by default. */
  public static final Property<Integer> PERCENTILE_BUCKETS =
      DECLARED.count("metrics.rollingPercentile.numBuckets", 6, between(1, 1_000));

  /** Accepted for compatibility, without effect: no bucket is capped. 100 by default. */
  public static final Property<Integer> PERCENTILE_BUCKET_SIZE =
      DECLARED.count("metrics.rollingPercentile.bucketSize", 100, atLeast(1));

  private static final List<Property<?>> ALL = DECLARED.all();

  private CollapserProperties() {}

  /** All properties of a collapser, in the order of their {@linkplain Property#index() indices}. */
  public static List<Property<?>> all() {
    return ALL;
  }
}
