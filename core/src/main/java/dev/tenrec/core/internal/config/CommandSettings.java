// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.core.internal.config;

import static dev.tenrec.core.internal.config.CrossRule.notLonger;
import static dev.tenrec.core.internal.config.CrossRule.wholeBuckets;

import dev.tenrec.core.config.CommandProperties;
import dev.tenrec.core.config.IsolationStrategy;
import dev.tenrec.metrics.internal.MetricsSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one command at one moment: resolved through all levels, valid together, read with
 * one volatile read a call.
 *
 * @param isolationStrategy where the work runs
 * @param timeoutEnabled whether {@code timeoutNanos} counts
 * @param timeoutNanos from the call to its deadline, whatever the isolation; waiting for a thread
 *     counts
 * @param interruptOnTimeout whether the thread of work that timed out is interrupted
 * @param interruptOnFutureCancel whether giving up an execution, other than by {@code
 *     cancel(false)}, interrupts its thread
 * @param semaphoreMaxConcurrent executions in flight on the caller's thread; 0 refuses all
 * @param virtualThreadMaxConcurrent executions in flight on virtual threads; 0 refuses all
 * @param abandonStageNanos how long after its deadline or its cancellation an asynchronous stage
 *     that does not end keeps its permit
 * @param betweenItemsTimeoutNanos how long the next item of a stream may take after it was asked
 *     for; 0 for ever
 * @param fallbackMaxConcurrent fallbacks in flight; 0 refuses all
 * @param fallbackEnabled whether fallbacks run at all
 * @param breakerEnabled whether the circuit breaker looks and decides
 * @param requestVolumeThreshold how many calls of the rolling window have to have ended before the
 *     circuit may open
 * @param errorThresholdPercentage the share of errors and slow calls, in per cent, from which the
 *     circuit opens
 * @param sleepWindowNanos how long an open circuit refuses before it admits trials
 * @param forceOpen refuses every call; wins over {@code forceClosed}
 * @param forceClosed admits every call
 * @param observeOnly the breaker opens, closes and reports, but admits every call
 * @param halfOpenTrials trials in flight in a half-open circuit, and successes that close it
 * @param slowCallNanos a success that took longer counts as trouble for the breaker; 0 for never
 * @param rateLimited whether {@code rate} counts
 * @param rate how many calls may begin
 * @param retry the figures of its retry, if it has one
 * @param hedge the figures of its hedge, if it has one
 * @param deadlineEnabled whether its calls heed the deadline they are made in, and hand theirs on
 * @param metrics how its counts, its health and its latencies are kept
 * @param percentileBucketSize known for compatibility, without effect: no bucket is capped
 * @param requestCacheEnabled whether the request cache is used
 * @param requestLogEnabled whether executions are written into the request log
 * @param threadPoolKeyOverride the pool to use instead of the command's own, or null
 */
public record CommandSettings(
    IsolationStrategy isolationStrategy,
    boolean timeoutEnabled,
    long timeoutNanos,
    boolean interruptOnTimeout,
    boolean interruptOnFutureCancel,
    int semaphoreMaxConcurrent,
    int virtualThreadMaxConcurrent,
    long abandonStageNanos,
    long betweenItemsTimeoutNanos,
    int fallbackMaxConcurrent,
    boolean fallbackEnabled,
    boolean breakerEnabled,
    int requestVolumeThreshold,
    int errorThresholdPercentage,
    long sleepWindowNanos,
    boolean forceOpen,
    boolean forceClosed,
    boolean observeOnly,
    int halfOpenTrials,
    long slowCallNanos,
    boolean rateLimited,
    RateSettings rate,
    RetrySettings retry,
    HedgeSettings hedge,
    boolean deadlineEnabled,
    MetricsSettings metrics,
    int percentileBucketSize,
    boolean requestCacheEnabled,
    boolean requestLogEnabled,
    @Nullable String threadPoolKeyOverride) {

  static final Scope<CommandSettings> SCOPE =
      new Scope<>(
          new PropertyTable(CommandProperties.all()),
          List.of(
              wholeBuckets(CommandProperties.ROLLING_WINDOW, CommandProperties.ROLLING_BUCKETS),
              wholeBuckets(
                  CommandProperties.PERCENTILE_WINDOW, CommandProperties.PERCENTILE_BUCKETS),
              notLonger(CommandProperties.HEALTH_INTERVAL, CommandProperties.ROLLING_WINDOW),
              RateSettings.notFaster(
                  CommandProperties.RATE_LIMITER_PERMITS, CommandProperties.RATE_LIMITER_PERIOD),
              RateSettings.refilledInTime(
                  CommandProperties.RATE_LIMITER_BURST,
                  CommandProperties.RATE_LIMITER_PERMITS,
                  CommandProperties.RATE_LIMITER_PERIOD)),
          CommandSettings::of);

  static CommandSettings of(Values values) {
    return new CommandSettings(
        values.get(CommandProperties.ISOLATION_STRATEGY),
        values.get(CommandProperties.TIMEOUT_ENABLED),
        values.nanos(CommandProperties.TIMEOUT),
        values.get(CommandProperties.INTERRUPT_ON_TIMEOUT),
        values.get(CommandProperties.INTERRUPT_ON_FUTURE_CANCEL),
        values.get(CommandProperties.SEMAPHORE_MAX_CONCURRENT),
        values.get(CommandProperties.VIRTUAL_THREAD_MAX_CONCURRENT),
        values.nanos(CommandProperties.ABANDON_STAGE_AFTER),
        values.nanos(CommandProperties.BETWEEN_ITEMS_TIMEOUT),
        values.get(CommandProperties.FALLBACK_MAX_CONCURRENT),
        values.get(CommandProperties.FALLBACK_ENABLED),
        values.get(CommandProperties.BREAKER_ENABLED),
        values.get(CommandProperties.REQUEST_VOLUME_THRESHOLD),
        values.get(CommandProperties.ERROR_THRESHOLD_PERCENTAGE),
        values.nanos(CommandProperties.SLEEP_WINDOW),
        values.get(CommandProperties.FORCE_OPEN),
        values.get(CommandProperties.FORCE_CLOSED),
        values.get(CommandProperties.OBSERVE_ONLY),
        values.get(CommandProperties.HALF_OPEN_TRIALS),
        values.nanos(CommandProperties.SLOW_CALL),
        values.get(CommandProperties.RATE_LIMITER_ENABLED),
        RateSettings.of(
            values,
            CommandProperties.RATE_LIMITER_PERMITS,
            CommandProperties.RATE_LIMITER_PERIOD,
            CommandProperties.RATE_LIMITER_BURST,
            CommandProperties.RATE_LIMITER_MAX_KEYS),
        RetrySettings.of(values),
        HedgeSettings.of(values),
        values.get(CommandProperties.DEADLINE_ENABLED),
        new MetricsSettings(
            values.nanos(CommandProperties.ROLLING_WINDOW),
            values.get(CommandProperties.ROLLING_BUCKETS),
            values.get(CommandProperties.PERCENTILE_ENABLED),
            values.nanos(CommandProperties.PERCENTILE_WINDOW),
            values.get(CommandProperties.PERCENTILE_BUCKETS),
            values.nanos(CommandProperties.HEALTH_INTERVAL)),
        values.get(CommandProperties.PERCENTILE_BUCKET_SIZE),
        values.get(CommandProperties.REQUEST_CACHE_ENABLED),
        values.get(CommandProperties.REQUEST_LOG_ENABLED),
        values.find(CommandProperties.THREAD_POOL_KEY_OVERRIDE));
  }
}
