// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.config;

import static dev.tenrec.core.config.CrossRule.wholeBuckets;
import static dev.tenrec.core.config.Rule.atLeast;
import static dev.tenrec.core.config.Rule.atLeastOneMilli;
import static dev.tenrec.core.config.Rule.between;
import static dev.tenrec.core.config.Rule.positiveTime;

import java.time.Duration;
import java.util.List;

/**
 * The properties of a collapser, {@code <prefix>.collapser.<key or default>.<name>}. What they mean
 * is explained at {@link CollapserSettings}. Those of its batch command are in {@link
 * CommandProperties}, under the collapser's key.
 */
public final class CollapserProperties {

  private static final PropertyTable.Builder ALL = PropertyTable.of("collapser");

  public static final Property<Integer> MAX_REQUESTS_IN_BATCH =
      ALL.count("maxRequestsInBatch", Integer.MAX_VALUE, atLeast(1));
  public static final Property<Duration> TIMER_DELAY =
      ALL.millis("timerDelayInMilliseconds", 10, positiveTime());
  public static final Property<Boolean> REQUEST_CACHE_ENABLED =
      ALL.flag("requestCache.enabled", true);

  public static final Property<Duration> ROLLING_WINDOW =
      ALL.millis("metrics.rollingStats.timeInMilliseconds", 10_000, atLeastOneMilli());
  public static final Property<Integer> ROLLING_BUCKETS =
      ALL.count("metrics.rollingStats.numBuckets", 10, between(1, 1_000));
  public static final Property<Boolean> PERCENTILE_ENABLED =
      ALL.flag("metrics.rollingPercentile.enabled", true);
  public static final Property<Duration> PERCENTILE_WINDOW =
      ALL.millis("metrics.rollingPercentile.timeInMilliseconds", 60_000, atLeastOneMilli());
  public static final Property<Integer> PERCENTILE_BUCKETS =
      ALL.count("metrics.rollingPercentile.numBuckets", 6, between(1, 1_000));
  public static final Property<Integer> PERCENTILE_BUCKET_SIZE =
      ALL.count("metrics.rollingPercentile.bucketSize", 100, atLeast(1));

  static final Scope<CollapserSettings> SCOPE =
      new Scope<>(
          ALL.build(),
          List.of(
              wholeBuckets(ROLLING_WINDOW, ROLLING_BUCKETS),
              wholeBuckets(PERCENTILE_WINDOW, PERCENTILE_BUCKETS)),
          CollapserSettings::of);

  private CollapserProperties() {}
}
