// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static dev.tenrec.core.config.CollapserProperties.MAX_REQUESTS_IN_BATCH;
import static dev.tenrec.core.config.CollapserProperties.PERCENTILE_BUCKETS;
import static dev.tenrec.core.config.CollapserProperties.PERCENTILE_BUCKET_SIZE;
import static dev.tenrec.core.config.CollapserProperties.PERCENTILE_ENABLED;
import static dev.tenrec.core.config.CollapserProperties.PERCENTILE_WINDOW;
import static dev.tenrec.core.config.CollapserProperties.REQUEST_CACHE_ENABLED;
import static dev.tenrec.core.config.CollapserProperties.ROLLING_BUCKETS;
import static dev.tenrec.core.config.CollapserProperties.ROLLING_WINDOW;
import static dev.tenrec.core.config.CollapserProperties.TIMER_DELAY;
import static dev.tenrec.core.internal.config.CrossRule.wholeBuckets;

import dev.tenrec.core.config.CollapserProperties;
import java.util.List;

/**
 * The settings of one collapser at one moment.
 *
 * @param maxRequestsInBatch how many different arguments start a batch before its time
 * @param timerDelayNanos from a batch's first member to its start
 * @param requestCacheEnabled whether the request cache is used
 * @param rollingWindowNanos the rolling window of the counts
 * @param rollingBuckets into how many buckets it is divided
 * @param percentileEnabled whether the distribution of batch sizes is kept
 * @param percentileWindowNanos the rolling window of that distribution
 * @param percentileBuckets into how many buckets it is divided
 * @param percentileBucketSize known and shown, but without effect
 */
public record CollapserSettings(
    int maxRequestsInBatch,
    long timerDelayNanos,
    boolean requestCacheEnabled,
    long rollingWindowNanos,
    int rollingBuckets,
    boolean percentileEnabled,
    long percentileWindowNanos,
    int percentileBuckets,
    int percentileBucketSize) {

  static final Scope<CollapserSettings> SCOPE =
      new Scope<>(
          new PropertyTable(CollapserProperties.all()),
          List.of(
              wholeBuckets(ROLLING_WINDOW, ROLLING_BUCKETS),
              wholeBuckets(PERCENTILE_WINDOW, PERCENTILE_BUCKETS)),
          CollapserSettings::of);

  static CollapserSettings of(Values values) {
    return new CollapserSettings(
        values.get(MAX_REQUESTS_IN_BATCH),
        values.nanos(TIMER_DELAY),
        values.get(REQUEST_CACHE_ENABLED),
        values.nanos(ROLLING_WINDOW),
        values.get(ROLLING_BUCKETS),
        values.get(PERCENTILE_ENABLED),
        values.nanos(PERCENTILE_WINDOW),
        values.get(PERCENTILE_BUCKETS),
        values.get(PERCENTILE_BUCKET_SIZE));
  }
}
