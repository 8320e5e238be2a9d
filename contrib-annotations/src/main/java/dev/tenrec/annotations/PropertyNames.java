// SPDX-License-Identifier: Apache-2.0
package dev.tenrec.annotations;

/**
 * The names of properties, for {@link CommandProperty#name}: a mistyped one does not compile. What
 * each does is with the property of that name in {@code dev.tenrec.core.config}.
 */
public final class PropertyNames {

  private PropertyNames() {}

  /** Those of a command: {@code commandProperties}. */
  public static final class OfCommand {

    private OfCommand() {}

    /** {@code execution.isolation.strategy}. */
    public static final String EXECUTION_ISOLATION_STRATEGY = "execution.isolation.strategy";

    /** {@code execution.isolation.thread.timeoutInMilliseconds}. */
    public static final String EXECUTION_ISOLATION_THREAD_TIMEOUT_IN_MILLISECONDS =
        "execution.isolation.thread.timeoutInMilliseconds";

    /** {@code execution.timeout.enabled}. */
    public static final String EXECUTION_TIMEOUT_ENABLED = "execution.timeout.enabled";

    /** {@code execution.isolation.thread.interruptOnTimeout}. */
    public static final String EXECUTION_ISOLATION_THREAD_INTERRUPT_ON_TIMEOUT =
        "execution.isolation.thread.interruptOnTimeout";

    /** {@code execution.isolation.thread.interruptOnFutureCancel}. */
    public static final String EXECUTION_ISOLATION_THREAD_INTERRUPT_ON_FUTURE_CANCEL =
        "execution.isolation.thread.interruptOnFutureCancel";

    /** {@code execution.isolation.semaphore.maxConcurrentRequests}. */
    public static final String EXECUTION_ISOLATION_SEMAPHORE_MAX_CONCURRENT_REQUESTS =
        "execution.isolation.semaphore.maxConcurrentRequests";

    /** {@code execution.isolation.virtualThread.maxConcurrentRequests}. */
    public static final String EXECUTION_ISOLATION_VIRTUAL_THREAD_MAX_CONCURRENT_REQUESTS =
        "execution.isolation.virtualThread.maxConcurrentRequests";

    /** {@code execution.isolation.stage.abandonAfterInMilliseconds}. */
    public static final String EXECUTION_ISOLATION_STAGE_ABANDON_AFTER_IN_MILLISECONDS =
        "execution.isolation.stage.abandonAfterInMilliseconds";

    /** {@code execution.stream.betweenItemsTimeoutInMilliseconds}. */
    public static final String EXECUTION_STREAM_BETWEEN_ITEMS_TIMEOUT_IN_MILLISECONDS =
        "execution.stream.betweenItemsTimeoutInMilliseconds";

    /** {@code fallback.isolation.semaphore.maxConcurrentRequests}. */
    public static final String FALLBACK_ISOLATION_SEMAPHORE_MAX_CONCURRENT_REQUESTS =
        "fallback.isolation.semaphore.maxConcurrentRequests";

    /** {@code fallback.enabled}. */
    public static final String FALLBACK_ENABLED = "fallback.enabled";

    /** {@code circuitBreaker.enabled}. */
    public static final String CIRCUIT_BREAKER_ENABLED = "circuitBreaker.enabled";

    /** {@code circuitBreaker.requestVolumeThreshold}. */
    public static final String CIRCUIT_BREAKER_REQUEST_VOLUME_THRESHOLD =
        "circuitBreaker.requestVolumeThreshold";

    /** {@code circuitBreaker.errorThresholdPercentage}. */
    public static final String CIRCUIT_BREAKER_ERROR_THRESHOLD_PERCENTAGE =
        "circuitBreaker.errorThresholdPercentage";

    /** {@code circuitBreaker.sleepWindowInMilliseconds}. */
    public static final String CIRCUIT_BREAKER_SLEEP_WINDOW_IN_MILLISECONDS =
        "circuitBreaker.sleepWindowInMilliseconds";

    /** {@code circuitBreaker.forceOpen}. */
    public static final String CIRCUIT_BREAKER_FORCE_OPEN = "circuitBreaker.forceOpen";

    /** {@code circuitBreaker.forceClosed}. */
    public static final String CIRCUIT_BREAKER_FORCE_CLOSED = "circuitBreaker.forceClosed";

    /** {@code circuitBreaker.observeOnly}. */
    public static final String CIRCUIT_BREAKER_OBSERVE_ONLY = "circuitBreaker.observeOnly";

    /** {@code circuitBreaker.halfOpenTrials}. */
    public static final String CIRCUIT_BREAKER_HALF_OPEN_TRIALS = "circuitBreaker.halfOpenTrials";

    /** {@code circuitBreaker.slowCallDurationInMilliseconds}. */
    public static final String CIRCUIT_BREAKER_SLOW_CALL_DURATION_IN_MILLISECONDS =
        "circuitBreaker.slowCallDurationInMilliseconds";

    /** {@code rateLimiter.enabled}. */
    public static final String RATE_LIMITER_ENABLED = "rateLimiter.enabled";

    /** {@code rateLimiter.permits}. */
    public static final String RATE_LIMITER_PERMITS = "rateLimiter.permits";

    /** {@code rateLimiter.periodInMilliseconds}. */
    public static final String RATE_LIMITER_PERIOD_IN_MILLISECONDS =
        "rateLimiter.periodInMilliseconds";

    /** {@code rateLimiter.burst}. */
    public static final String RATE_LIMITER_BURST = "rateLimiter.burst";

    /** {@code rateLimiter.maxKeys}. */
    public static final String RATE_LIMITER_MAX_KEYS = "rateLimiter.maxKeys";

    /** {@code retry.enabled}. */
    public static final String RETRY_ENABLED = "retry.enabled";

    /** {@code retry.attempts}. */
    public static final String RETRY_ATTEMPTS = "retry.attempts";

    /** {@code retry.firstDelayInMilliseconds}. */
    public static final String RETRY_FIRST_DELAY_IN_MILLISECONDS = "retry.firstDelayInMilliseconds";

    /** {@code retry.longestDelayInMilliseconds}. */
    public static final String RETRY_LONGEST_DELAY_IN_MILLISECONDS =
        "retry.longestDelayInMilliseconds";

    /** {@code retry.attemptTimeoutInMilliseconds}. */
    public static final String RETRY_ATTEMPT_TIMEOUT_IN_MILLISECONDS =
        "retry.attemptTimeoutInMilliseconds";

    /** {@code retry.budgetPercent}. */
    public static final String RETRY_BUDGET_PERCENT = "retry.budgetPercent";

    /** {@code retry.budgetPerSecond}. */
    public static final String RETRY_BUDGET_PER_SECOND = "retry.budgetPerSecond";

    /** {@code hedge.enabled}. */
    public static final String HEDGE_ENABLED = "hedge.enabled";

    /** {@code hedge.afterInMilliseconds}. */
    public static final String HEDGE_AFTER_IN_MILLISECONDS = "hedge.afterInMilliseconds";

    /** {@code hedge.afterPercentile}. */
    public static final String HEDGE_AFTER_PERCENTILE = "hedge.afterPercentile";

    /** {@code hedge.atMost}. */
    public static final String HEDGE_AT_MOST = "hedge.atMost";

    /** {@code hedge.budgetPercent}. */
    public static final String HEDGE_BUDGET_PERCENT = "hedge.budgetPercent";

    /** {@code hedge.budgetPerSecond}. */
    public static final String HEDGE_BUDGET_PER_SECOND = "hedge.budgetPerSecond";

    /** {@code deadline.enabled}. */
    public static final String DEADLINE_ENABLED = "deadline.enabled";

    /** {@code metrics.rollingStats.timeInMilliseconds}. */
    public static final String METRICS_ROLLING_STATS_TIME_IN_MILLISECONDS =
        "metrics.rollingStats.timeInMilliseconds";

    /** {@code metrics.rollingStats.numBuckets}. */
    public static final String METRICS_ROLLING_STATS_NUM_BUCKETS =
        "metrics.rollingStats.numBuckets";

    /** {@code metrics.rollingPercentile.enabled}. */
    public static final String METRICS_ROLLING_PERCENTILE_ENABLED =
        "metrics.rollingPercentile.enabled";

    /** {@code metrics.rollingPercentile.timeInMilliseconds}. */
    public static final String METRICS_ROLLING_PERCENTILE_TIME_IN_MILLISECONDS =
        "metrics.rollingPercentile.timeInMilliseconds";

    /** {@code metrics.rollingPercentile.numBuckets}. */
    public static final String METRICS_ROLLING_PERCENTILE_NUM_BUCKETS =
        "metrics.rollingPercentile.numBuckets";

    /** {@code metrics.rollingPercentile.bucketSize}. */
    public static final String METRICS_ROLLING_PERCENTILE_BUCKET_SIZE =
        "metrics.rollingPercentile.bucketSize";

    /** {@code metrics.healthSnapshot.intervalInMilliseconds}. */
    public static final String METRICS_HEALTH_SNAPSHOT_INTERVAL_IN_MILLISECONDS =
        "metrics.healthSnapshot.intervalInMilliseconds";

    /** {@code requestCache.enabled}. */
    public static final String REQUEST_CACHE_ENABLED = "requestCache.enabled";

    /** {@code requestLog.enabled}. */
    public static final String REQUEST_LOG_ENABLED = "requestLog.enabled";

    /** {@code threadPoolKeyOverride}. */
    public static final String THREAD_POOL_KEY_OVERRIDE = "threadPoolKeyOverride";
  }

  /** Those of a thread pool: {@code threadPoolProperties}. */
  public static final class OfPool {

    private OfPool() {}

    /** {@code coreSize}. */
    public static final String CORE_SIZE = "coreSize";

    /** {@code maximumSize}. */
    public static final String MAXIMUM_SIZE = "maximumSize";

    /** {@code allowMaximumSizeToDivergeFromCoreSize}. */
    public static final String ALLOW_MAXIMUM_SIZE_TO_DIVERGE_FROM_CORE_SIZE =
        "allowMaximumSizeToDivergeFromCoreSize";

    /** {@code keepAliveTimeMinutes}. */
    public static final String KEEP_ALIVE_TIME_MINUTES = "keepAliveTimeMinutes";

    /** {@code maxQueueSize}. */
    public static final String MAX_QUEUE_SIZE = "maxQueueSize";

    /** {@code queueSizeRejectionThreshold}. */
    public static final String QUEUE_SIZE_REJECTION_THRESHOLD = "queueSizeRejectionThreshold";

    /** {@code metrics.rollingStats.timeInMilliseconds}. */
    public static final String METRICS_ROLLING_STATS_TIME_IN_MILLISECONDS =
        "metrics.rollingStats.timeInMilliseconds";

    /** {@code metrics.rollingStats.numBuckets}. */
    public static final String METRICS_ROLLING_STATS_NUM_BUCKETS =
        "metrics.rollingStats.numBuckets";
  }

  /** Those of a collapser: {@code properties} of {@link Collapsed}. */
  public static final class OfCollapser {

    private OfCollapser() {}

    /** {@code maxRequestsInBatch}. */
    public static final String MAX_REQUESTS_IN_BATCH = "maxRequestsInBatch";

    /** {@code timerDelayInMilliseconds}. */
    public static final String TIMER_DELAY_IN_MILLISECONDS = "timerDelayInMilliseconds";

    /** {@code requestCache.enabled}. */
    public static final String REQUEST_CACHE_ENABLED = "requestCache.enabled";

    /** {@code metrics.rollingStats.timeInMilliseconds}. */
    public static final String METRICS_ROLLING_STATS_TIME_IN_MILLISECONDS =
        "metrics.rollingStats.timeInMilliseconds";

    /** {@code metrics.rollingStats.numBuckets}. */
    public static final String METRICS_ROLLING_STATS_NUM_BUCKETS =
        "metrics.rollingStats.numBuckets";

    /** {@code metrics.rollingPercentile.enabled}. */
    public static final String METRICS_ROLLING_PERCENTILE_ENABLED =
        "metrics.rollingPercentile.enabled";

    /** {@code metrics.rollingPercentile.timeInMilliseconds}. */
    public static final String METRICS_ROLLING_PERCENTILE_TIME_IN_MILLISECONDS =
        "metrics.rollingPercentile.timeInMilliseconds";

    /** {@code metrics.rollingPercentile.numBuckets}. */
    public static final String METRICS_ROLLING_PERCENTILE_NUM_BUCKETS =
        "metrics.rollingPercentile.numBuckets";

    /** {@code metrics.rollingPercentile.bucketSize}. */
    public static final String METRICS_ROLLING_PERCENTILE_BUCKET_SIZE =
        "metrics.rollingPercentile.bucketSize";
  }
}
